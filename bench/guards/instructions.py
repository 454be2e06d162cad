"""Instructions a request, counted by callgrind."""

import re
from pathlib import Path

from . import preload
from .counted_server import CountedServer
from .request import REQUESTS, Request

# Enough to fill caches and pools, and few, because each adds to what varies.
WARM_UP = 20


def measure(uvdrop: Path, folder: Path) -> dict[str, float]:
    """Of every request the instructions in user space, of all threads.

    One run makes each request a few times; in one more for each of them that one comes `count` times more. The difference of the two
    is the cost of that request: starting, ending and the others cancel out.
    """
    folder.mkdir(parents=True, exist_ok=True)
    library = preload.build("known_calls", folder)
    base = _run(uvdrop, folder, library, None)
    return {request.name: (_run(uvdrop, folder, library, request) - base) / request.count for request in REQUESTS}


def _run(uvdrop: Path, folder: Path, library: Path, more: Request | None) -> int:
    name = more.name if more else "all"
    out = folder / f"callgrind-{name}"
    prefix = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--log-file=/dev/null"]
    environment = {"LD_PRELOAD": str(library)}
    with CountedServer(uvdrop, folder / f"instructions-{name}", prefix, environment) as server:
        for request in REQUESTS:
            server.ask(request, WARM_UP + (request.count if request is more else 0))
    return total(out.read_text())


def total(text: str) -> int:
    """All instructions of a callgrind profile.

    Raises:
        SystemExit: the profile has no sum.
    """
    found = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
    if not found:
        raise SystemExit("callgrind left no sum")
    return int(found.group(1))
