"""A contestant whose server runs through all slices of a scenario."""

import time
from collections.abc import Callable
from pathlib import Path

from . import proc_files
from .bench import Bench
from .cannot_measure import CannotMeasure
from .contestant import Contestant
from .data_files import GIB, MIB
from .load import Load
from .process_tree import TICKS_A_SECOND
from .running_server import RunningServer
from .server_kind import ServerKind


class ServerContestant(Contestant):
    def __init__(self, bench: Bench, name: str, kind: ServerKind, is_peer: bool) -> None:
        super().__init__(name, is_peer)
        self.bench = bench
        self.kind = kind
        # Where it may run; empty means the server's core.
        self.cores: tuple[int, ...] = ()
        self._server: RunningServer | None = None
        self._resident_before_kib = 0

    @property
    def server(self) -> RunningServer:
        assert self._server, "prepare() comes first"
        return self._server

    def start(self, root: Path) -> None:
        self._server = self.bench.start(self.kind, root, self.cores)
        self._server.wait_until_it_answers()

    def is_warm(self) -> None:
        """From here on memory counts as growth."""
        self._resident_before_kib = self.server.tree.resident_kib()

    def watch(self, load: Callable[[], Load], counts_bytes: bool) -> tuple[Load, dict[str, float]]:
        """Runs the load and accounts for what the server and the client used meanwhile, a request or a GiB."""
        core_before = self._core_seconds()
        begin, cpu_before = time.monotonic(), self.server.tree.cpu_seconds()
        done = load()
        cpu, wall = self.server.tree.cpu_seconds() - cpu_before, time.monotonic() - begin
        others = max(0.0, self._core_seconds() - core_before - cpu)
        if done.errors or not (done.requests or done.bytes):
            raise CannotMeasure(f"{done.errors} of {done.requests + done.errors} requests failed under load")
        busy = {"server_busy": cpu, "client_busy": done.cpu_seconds, "others_busy": others}
        figures = {key: 100 * seconds / wall for key, seconds in busy.items()}
        if counts_bytes:
            figures |= {"cpu_ms_gib": 1e3 * cpu / done.bytes * GIB, "mib_s": done.bytes / MIB / done.seconds}
        else:
            figures |= {"cpu_us": 1e6 * cpu / done.requests, "requests_s": done.requests / done.seconds}
            figures |= {"p50_us": done.p50_us, "p99_us": done.p99_us}
        return done, figures

    def totals(self) -> dict[str, float]:
        tree = self.server.tree
        return {
            "peak_mib": tree.peak_kib() / 1024,
            "growth_mib": (tree.resident_kib() - self._resident_before_kib) / 1024,
        }

    def _core_seconds(self) -> float:
        """How long the server's core was not idle so far."""
        return proc_files.busy_ticks(Path("/proc/stat").read_text(), self.bench.cores.server) / TICKS_A_SECOND

    def close(self) -> None:
        if self._server:
            self._server.stop()
