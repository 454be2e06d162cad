"""What uvdrop is to reach in a scenario."""

from dataclasses import dataclass

from .figure import FIGURES

BEST_PEER = "best peer"


@dataclass(frozen=True)
class Target:
    """A bound for one figure of uvdrop: for its ratio to `against`, or, where that is None, for the figure itself.

    `against` is the name of a contestant, or `BEST_PEER`: the peer with the best median.
    """

    figure: str
    bound: float
    against: str | None = None
    at_least: bool = False
    of: str = "uvdrop"

    def is_met(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound

    def __str__(self) -> str:
        subject = FIGURES[self.figure].title + ("" if self.of == "uvdrop" else f" of {self.of}")
        relation = "at least" if self.at_least else "at most"
        return f"{subject}: {relation} {self.bound:g}" + (f" × {self.against}" if self.against else "")
