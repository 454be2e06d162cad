"""Measures the contestants of a scenario in turns."""

import sys
from collections.abc import Callable, Sequence
from functools import partial

from .bench import Bench
from .cannot_measure import CannotMeasure
from .contestant import Contestant
from .result import Result
from .rotation import rotated
from .scenario import Scenario


def run(scenario: Scenario, bench: Bench, rounds: int, only: Sequence[str]) -> Result:
    """Each round gives every contestant one slice, in an order that rotates. `only` names contestants; empty means all.

    A contestant that fails takes no further part and has no figures: half of its rounds would compare with nothing.

    Raises:
        CannotMeasure: none of the contestants is in `only`.
    """
    entrants = scenario.contestants(bench)
    contestants = [entrant for entrant in entrants if is_chosen(entrant.name, only)]
    if not contestants:
        raise CannotMeasure(f"has none of {', '.join(only)}, but {', '.join(entrant.name for entrant in entrants)}")
    peers = {entrant.name for entrant in contestants if entrant.is_peer}
    result = Result(scenario.name, scenario.title, scenario.main_figure, peers)
    try:
        for entrant in contestants:
            _attempt(entrant, result, entrant.prepare)
        for round_ in range(rounds):
            print(f"{scenario.name}: round {round_ + 1} of {rounds}", file=sys.stderr)
            for entrant in rotated([entrant for entrant in contestants if entrant.name not in result.cannot], round_):
                _attempt(entrant, result, partial(_measure, entrant, result, round_))
        for entrant in contestants:
            if entrant.name not in result.cannot:
                result.add(entrant.name, 0, entrant.totals())
    finally:
        for entrant in contestants:
            entrant.close()
    return result


def is_chosen(name: str, only: Sequence[str]) -> bool:
    """The name itself, or its first word: "nginx PUT" is nginx."""
    return not only or name in only or name.split()[0] in only


def _measure(entrant: Contestant, result: Result, round_: int) -> None:
    result.add(entrant.name, round_, entrant.measure())


def _attempt(entrant: Contestant, result: Result, step: Callable[[], None]) -> None:
    try:
        step()
    except CannotMeasure as reason:
        result.cannot[entrant.name] = str(reason)
        result.samples.pop(entrant.name, None)
        print(f"{result.scenario}: {entrant.name}: {reason}", file=sys.stderr)
        entrant.close()
