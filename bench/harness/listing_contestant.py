"""A server that lists a large folder as JSON."""

import json
import threading
import time

from .answer_check import ask, expect_status
from .bench import Bench
from .cannot_measure import CannotMeasure
from .contestant import Contestant
from .data_files import BESIDE_LIST
from .running_server import RunningServer
from .server_kind import ServerKind

PAGE_ENTRIES = 200
PAGES = 100
# A server that makes a list for less long than this is measured while it does nothing.
BESIDE_SECONDS = 0.2


class ListingContestant(Contestant):
    """A new server each slice, so that the first list is the first. The kernel has the folder in its cache."""

    def __init__(self, bench: Bench, name: str, kind: ServerKind, is_peer: bool, count: int) -> None:
        super().__init__(name, is_peer)
        self.bench = bench
        self.kind = kind
        self.count = count

    def prepare(self) -> None:
        if not self.kind.json_list:
            raise CannotMeasure("makes no list in JSON")
        self.measure()

    def measure(self) -> dict[str, float]:
        with self.bench.start(self.kind, self.bench.data.folder_of(self.count)) as server:
            server.wait_until_it_answers("/missing")
            before = server.tree.resident_kib()
            first_cpu, first_ms = self._list(server)
            again_cpu, again_ms = self._list(server)
            figures = {
                "first_cpu_s": first_cpu,
                "first_ms": first_ms,
                "again_cpu_s": again_cpu,
                "again_ms": again_ms,
                "growth_mib": (server.tree.resident_kib() - before) / 1024,
                "peak_mib": server.tree.peak_kib() / 1024,
            }
            figures |= self._pages(server)
        return figures | self._beside()

    def _list(self, server: RunningServer) -> tuple[float, float]:
        """CPU seconds and milliseconds of one list, which is checked afterwards."""
        path, *fields = self.kind.json_list
        begin, cpu_before = time.monotonic(), server.tree.cpu_seconds()
        answer = ask(server.port, path, fields)
        figures = server.tree.cpu_seconds() - cpu_before, 1e3 * (time.monotonic() - begin)
        expect_status(answer, 200)
        listed = entry_count(answer.body)
        if not self.count <= listed <= self.count + 10:  # some list their own hidden files too
            raise CannotMeasure(f"lists {listed} of {self.count} files")
        return figures

    def _pages(self, server: RunningServer) -> dict[str, float]:
        """Pages of the list, one after another, from servers that have pages in the way of uvdrop."""
        if self.kind.name != "uvdrop":
            return {}
        target = f"{self.kind.json_list[0]}&limit={PAGE_ENTRIES}"
        begin, cpu_before = time.monotonic(), server.tree.cpu_seconds()
        for _ in range(PAGES):
            answer = ask(server.port, target)
            expect_status(answer, 200)
            page = json.loads(answer.body)
            if len(page["files"]) != PAGE_ENTRIES:
                raise CannotMeasure(f"a page of {PAGE_ENTRIES} has {len(page['files'])} files")
            target = page["next"]
        seconds, cpu = time.monotonic() - begin, server.tree.cpu_seconds() - cpu_before
        return {"page_ms": 1e3 * seconds / PAGES, "page_cpu_ms": 1e3 * cpu / PAGES}

    def _beside(self) -> dict[str, float]:
        """How long a client waits for 1 KiB: from a new server that does nothing else, and while that makes its first list."""
        if not self.kind.keeps_alive:
            return {}
        with self.bench.start(self.kind, self.bench.data.folder_of(self.count)) as server:
            server.wait_until_it_answers("/missing")
            self._wait_for_files(server)
            quiet = self._wait_for_files(server)
            path, *fields = self.kind.json_list
            asking = threading.Thread(target=lambda: ask(server.port, path, fields))
            asking.start()
            beside = self._wait_for_files(server)
            asking.join()
        return {"quiet_p99_us": quiet, "beside_p99_us": beside}

    def _wait_for_files(self, server: RunningServer) -> float:
        """The 99th percentile in microseconds; the whole time where none was answered in it."""
        load = self.bench.client.fetch(server.port, f"/{BESIDE_LIST}", 1, BESIDE_SECONDS, [])
        return load.p99_us if load.requests else 1e6 * BESIDE_SECONDS


def entry_count(body: bytes) -> int:
    """How many files a list has: it is an array, or an object with the array in "files"."""
    try:
        parsed = json.loads(body)
    except ValueError:
        return 0
    entries = parsed.get("files", []) if isinstance(parsed, dict) else parsed
    return len(entries)
