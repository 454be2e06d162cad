"""What a load client did in one slice."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Load:
    """`bytes` counts content; wrk's count has the heads in it. Percentiles are NaN for clients that do not tell them."""

    seconds: float
    requests: int
    bytes: int
    errors: int
    # Of the client itself: near its wall time it is the bottleneck, and the server's throughput is not its own.
    cpu_seconds: float
    p50_us: float = float("nan")
    p99_us: float = float("nan")

    @classmethod
    def parse(cls, line: dict[str, float], cpu_seconds: float) -> "Load":
        """From the JSON that every client prints as its last line."""
        percentiles = {key: line[key] for key in ("p50_us", "p99_us") if key in line}
        return cls(line["seconds"], int(line["requests"]), int(line["bytes"]), int(line["errors"]), cpu_seconds, **percentiles)
