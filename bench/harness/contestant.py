"""One server in one scenario."""

from abc import ABC, abstractmethod


class Contestant(ABC):
    def __init__(self, name: str, is_peer: bool) -> None:
        self.name = name
        self.is_peer = is_peer

    @abstractmethod
    def prepare(self) -> None:
        """Starts it, checks its answers, warms it.

        Raises:
            CannotMeasure: it takes no part.
        """

    @abstractmethod
    def measure(self) -> dict[str, float]:
        """One slice: the figures of `FIGURES` that this scenario has.

        Raises:
            CannotMeasure: it takes no part any more.
        """

    def totals(self) -> dict[str, float]:
        """Figures that only the end of all slices shows."""
        return {}

    def close(self) -> None:
        """Ends what `prepare` began. Also called when that failed."""
