"""The table of the README, from the JSON of a run."""

from typing import Any

from .figure import FIGURES


def markdown(document: dict[str, Any]) -> str:
    """One row a scenario, one column a server that was measured beside uvdrop in any of them.

    A cell says how many times better uvdrop is by the scenario's main figure: above 1 the other needs more, or does less.
    """
    scenarios = [scenario for scenario in document["scenarios"] if _ratios(scenario)]
    names = list(dict.fromkeys(name for scenario in scenarios for name in _ratios(scenario)))
    lines = ["| | measured |" + "".join(f" {name} |" for name in names), "|---|---|" + "---:|" * len(names)]
    for scenario in scenarios:
        ratios = _ratios(scenario)
        cells = "".join(f" {ratios[name]:.2f} |" if name in ratios else " |" for name in names)
        lines.append(f"| {scenario['title']} | {FIGURES[scenario['main_figure']].title} |{cells}")
    return "\n".join([*lines, "", _source(document)])


def _ratios(scenario: dict[str, Any]) -> dict[str, float]:
    less_is_better = FIGURES[scenario["main_figure"]].less_is_better
    medians = {name: spread["median"] for name, spread in scenario["ratio_to_uvdrop"].items() if spread and spread["median"]}
    return {name: median if less_is_better else 1 / median for name, median in medians.items()}


def _source(document: dict[str, Any]) -> str:
    versions = [version for name, version in document["versions"].items() if name not in ("wrk", "cc") and version != "missing"]
    command = "bench/run " + " ".join(scenario["name"] for scenario in document["scenarios"])
    return (
        f"Medians of {document['rounds']} rounds by `{command} --rounds {document['rounds']} --json FILE`, {document['machine']};"
        f" the table by `bench/run --markdown FILE`. Versions: {', '.join(dict.fromkeys(versions))}."
    )
