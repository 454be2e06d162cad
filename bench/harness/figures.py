"""Arithmetic on samples: medians, spread, and ratios paired by round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


def quantile(values: Sequence[float], fraction: float) -> float:
    """The value below which `fraction` of the samples lie, interpolated between neighbours. `values` is not empty."""
    ordered = sorted(values)
    position = fraction * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def median(values: Sequence[float]) -> float:
    return quantile(values, 0.5)


@dataclass(frozen=True)
class Spread:
    """What the samples of one figure look like."""

    median: float
    low: float
    high: float
    lower_quartile: float
    upper_quartile: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        return cls(median(values), min(values), max(values), quantile(values, 0.25), quantile(values, 0.75), len(values))


def paired_ratios(of: Mapping[int, float], to: Mapping[int, float]) -> list[float]:
    """`of` divided by `to`, round by round: only samples taken within seconds of each other are compared.

    Rounds that one of the two lacks, or whose divisor is zero, are left out.
    """
    return [of[round_] / to[round_] for round_ in sorted(of) if to.get(round_)]
