"""Allocations a request, counted by a library that is loaded before all others."""

from pathlib import Path

from . import preload
from .counted_server import CountedServer
from .request import REQUESTS


def measure(uvdrop: Path, folder: Path) -> dict[str, float]:
    """Of every request the allocations, fractions included: some come only now and then."""
    folder.mkdir(parents=True, exist_ok=True)
    library, count_file = preload.build("count_allocations", folder), folder / "count"

    def count() -> int:
        return int.from_bytes(count_file.read_bytes()[:8], "little")

    figures = {}
    environment = {"LD_PRELOAD": str(library), "GUARD_COUNT": str(count_file)}
    with CountedServer(uvdrop, folder / "allocations", environment=environment) as server:
        for request in REQUESTS:
            server.ask(request, request.count)  # fills caches and pools
            before = count()
            server.ask(request, request.count)
            figures[request.name] = (count() - before) / request.count
    return figures
