"""Allocations a request, counted by a library that is loaded before all others."""

import subprocess
from pathlib import Path

from .counted_server import CountedServer
from .request import REQUESTS

COUNT = 500
SOURCE = Path(__file__).resolve().parent / "count_allocations.c"


def measure(uvdrop: Path, folder: Path) -> dict[str, float]:
    """Of every request the allocations, fractions included: some come only now and then."""
    folder.mkdir(parents=True, exist_ok=True)
    library, count_file = folder / "count_allocations.so", folder / "count"
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-o", library, SOURCE], check=True)

    def count() -> int:
        return int.from_bytes(count_file.read_bytes()[:8], "little")

    figures = {}
    environment = {"LD_PRELOAD": str(library), "GUARD_COUNT": str(count_file)}
    with CountedServer(uvdrop, folder / "allocations", environment=environment) as server:
        for request in REQUESTS:
            server.ask(request, COUNT)  # fills caches and pools
            before = count()
            server.ask(request, COUNT)
            figures[request.name] = (count() - before) / COUNT
    return figures
