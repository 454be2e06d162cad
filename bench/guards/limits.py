"""The committed limits, and what follows from them."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).resolve().parent / "limits.json"
# Above what was measured when the limits were set. Counts of instructions differ a little with processors and C libraries.
HEADROOM = {"instructions": 1.25, "allocations": 1.10}
# Below this part of its limit a count shows that the limit guards little.
LOOSE = 0.7

# What is counted → request → count
Counts = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Verdict:
    what: str
    request: str
    measured: float
    limit: float | None

    @property
    def text(self) -> str:
        if self.limit is None:
            return "NO LIMIT"
        if self.measured > self.limit:
            return "TOO MANY"
        return "much too loose" if self.measured < LOOSE * self.limit - 1 else "fine"

    @property
    def is_failure(self) -> bool:
        return self.limit is None or self.measured > self.limit


def verdicts(measured: Counts, limits: Counts) -> list[Verdict]:
    return [
        Verdict(what, request, value, limits.get(what, {}).get(request))
        for what, counts in measured.items()
        for request, value in counts.items()
    ]


def limits_for(measured: Counts) -> Counts:
    """With some room: instructions to three digits, and allocations half of one above a whole number, because a timer's may fall
    into the count, and one more a request must not pass where there was none."""
    return {what: {name: _limit(what, value) for name, value in counts.items()} for what, counts in measured.items()}


def _limit(what: str, measured: float) -> float:
    value = measured * HEADROOM[what]
    if what == "allocations":
        return math.floor(value) + 0.5
    step = 10 ** max(0, math.floor(math.log10(max(value, 1))) - 2)
    return math.ceil(value / step) * step


def read() -> Counts:
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def write(limits: Counts) -> None:
    FILE.write_text(json.dumps(limits, indent=2) + "\n")
