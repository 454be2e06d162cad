"""A server that is started, over and over."""

from .bench import Bench
from .contestant import Contestant
from .data_files import KIB
from .server_kind import ServerKind


class StartContestant(Contestant):
    """From just before the process is made to the end of its first answer. The floor shows what the measuring itself costs."""

    def __init__(self, bench: Bench, name: str, kind: ServerKind, is_peer: bool) -> None:
        super().__init__(name, is_peer)
        self.bench = bench
        self.kind = kind

    def prepare(self) -> None:
        self.measure()

    def measure(self) -> dict[str, float]:
        file = self.bench.data.file(KIB)
        with self.bench.start(self.kind, file.parent) as server:
            return {"start_ms": 1e3 * server.wait_until_it_answers(f"/{file.name}"), "peak_mib": server.tree.peak_kib() / 1024}
