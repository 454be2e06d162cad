"""Results as text for people and as JSON for programs."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from .figure import FIGURES
from .figures import Spread
from .result import Result, Verdict
from .table import table
from .target import Target


def text(result: Result, targets: Sequence[Target]) -> str:
    lines = [f"{result.scenario}: {result.title}", "", _figures_table(result)]
    lines += [f"{name}: {reason}" for name, reason in result.cannot.items()]
    lines += [_verdict_line(verdict) for verdict in result.verdicts(targets)]
    return "\n".join([*lines, *result.notes])


def document(result: Result, targets: Sequence[Target]) -> dict[str, Any]:
    """Everything that was measured, with all samples."""
    contestants = {
        name: {
            key: {**asdict(Spread.of(list(samples.values()))), "samples": list(samples.values())}
            for key, samples in figures.items()
        }
        for name, figures in result.samples.items()
    }
    ratios = {name: _spread(result.ratio(name, "uvdrop", result.main_figure)) for name in result.samples if name != "uvdrop"}
    verdicts = [
        {"target": str(verdict.target), "against": verdict.against, "measured": _spread(verdict.spread), "met": verdict.is_met}
        for verdict in result.verdicts(targets)
    ]
    return {
        "name": result.scenario,
        "title": result.title,
        "main_figure": result.main_figure,
        "contestants": contestants,
        "ratio_to_uvdrop": ratios,
        "targets": verdicts,
        "cannot": result.cannot,
        "notes": result.notes,
    }


def _figures_table(result: Result) -> str:
    main = FIGURES[result.main_figure]
    others = [FIGURES[key] for key in result.figures_measured() if key != main.key]
    rows = []
    for name in result.samples:
        spread, ratio = result.spread(name, main.key), result.ratio(name, "uvdrop", main.key)
        cells = [number(spread.median, main.digits), interval(spread, main.digits)] if spread else ["", ""]
        cells.append(f"{ratio.median:.2f} ({ratio.low:.2f}–{ratio.high:.2f})" if ratio else "")
        for figure in others:
            other = result.spread(name, figure.key)
            cells.append(number(other.median, figure.digits) if other else "")
        rows.append([name, *cells])
    return table(["", main.title, "min–max", "of uvdrop's", *(figure.title for figure in others)], rows)


def _verdict_line(verdict: Verdict) -> str:
    target, spread = verdict.target, verdict.spread
    if not spread:
        return f"target  {target}: not measured"
    digits = 2 if target.against else FIGURES[target.figure].digits
    against = f" of {verdict.against}" if target.against and verdict.against != target.against else ""
    values = f"{number(spread.median, digits)} ({interval(spread, digits)}){against}"
    return f"target  {target}: {values}, {'met' if verdict.is_met else 'MISSED'}"


def interval(spread: Spread, digits: int) -> str:
    return f"{number(spread.low, digits)}–{number(spread.high, digits)}"


def number(value: float, digits: int) -> str:
    return "–" if value != value else f"{value:.{digits}f}"


def _spread(spread: Spread | None) -> dict[str, float] | None:
    return asdict(spread) if spread else None
