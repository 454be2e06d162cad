"""One thing that is measured."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .bench import Bench
from .contestant import Contestant
from .target import Target


@dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    # By this one contestants are compared with uvdrop in the table.
    main_figure: str
    targets: tuple[Target, ...]
    contestants: Callable[[Bench], Sequence[Contestant]]
