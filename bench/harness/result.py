"""What one scenario measured, and what follows from it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from .figure import FIGURES
from .figures import Spread, paired_ratios
from .target import BEST_PEER, Target


@dataclass(frozen=True)
class Verdict:
    """A target with what was measured. `spread` is None where uvdrop or the other was not measured."""

    target: Target
    against: str | None
    spread: Spread | None

    @property
    def is_met(self) -> bool | None:
        return self.target.is_met(self.spread.median) if self.spread else None


@dataclass
class Result:
    scenario: str
    title: str
    main_figure: str
    peers: set[str]
    # contestant → figure → round → value
    samples: dict[str, dict[str, dict[int, float]]] = field(default_factory=dict)
    # contestant → why it was not measured
    cannot: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, contestant: str, round_: int, figures: dict[str, float]) -> None:
        for key, value in figures.items():
            self.samples.setdefault(contestant, {}).setdefault(key, {})[round_] = value

    def figures_measured(self) -> list[str]:
        present = {key for figures in self.samples.values() for key in figures}
        return [key for key in FIGURES if key in present]

    def spread(self, contestant: str, figure: str) -> Spread | None:
        samples = self.samples.get(contestant, {}).get(figure)
        return Spread.of(list(samples.values())) if samples else None

    def ratio(self, of: str, to: str, figure: str) -> Spread | None:
        ratios = paired_ratios(self.samples.get(of, {}).get(figure, {}), self.samples.get(to, {}).get(figure, {}))
        return Spread.of(ratios) if ratios else None

    def best_peer(self, figure: str) -> str | None:
        """The peer with the best median, which is the lowest or the highest, as the figure is."""
        medians = {peer: spread.median for peer in sorted(self.peers) if (spread := self.spread(peer, figure))}
        if not medians:
            return None
        return (min if FIGURES[figure].less_is_better else max)(medians, key=lambda peer: medians[peer])

    def verdicts(self, targets: Iterable[Target]) -> list[Verdict]:
        return [self._verdict(target) for target in targets]

    def _verdict(self, target: Target) -> Verdict:
        if target.against is None:
            return Verdict(target, None, self.spread(target.of, target.figure))
        against = self.best_peer(target.figure) if target.against == BEST_PEER else target.against
        return Verdict(target, against, self.ratio(target.of, against, target.figure) if against else None)
