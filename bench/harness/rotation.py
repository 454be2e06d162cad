"""The order in which the contestants of a round are measured."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def rotated(items: Sequence[T], round_: int) -> list[T]:
    """The items, beginning one further each round and running backwards in every other pass over them.

    So each comes first as often as last, and each is as often before as after any other: what drifts hits all alike.
    """
    if not items:
        return []
    start = round_ % len(items)
    order = [*items[start:], *items[:start]]
    return order[::-1] if (round_ // len(items)) % 2 else order
