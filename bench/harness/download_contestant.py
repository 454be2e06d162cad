"""A server that is asked for a file, over and over."""

from pathlib import Path

from .answer_check import ask, check_ranges, check_whole, expect_status
from .bench import Bench
from .cannot_measure import CannotMeasure
from .download import Download
from .load import Load
from .server_contestant import ServerContestant
from .server_kind import ServerKind

WARM_UP_SECONDS = 0.3


class DownloadContestant(ServerContestant):
    def __init__(self, bench: Bench, name: str, kind: ServerKind, is_peer: bool, download: Download) -> None:
        super().__init__(bench, name, kind, is_peer)
        self.download = download
        self.fields: list[str] = []
        self.path = f"/{download.size}.bin"

    def prepare(self) -> None:
        if not self.kind.keeps_alive:
            raise CannotMeasure("closes the connection after each answer")
        file = self.bench.data.file(self.download.size)
        self.bench.data.warm(file)
        self.start(file.parent)
        if self.kind.name != "floor":  # which always gives the one answer that it knows
            self._check(file)
        self._load(WARM_UP_SECONDS)
        self.is_warm()

    def measure(self) -> dict[str, float]:
        load, figures = self.watch(lambda: self._load(self.bench.slice_seconds), self.download.counts_bytes)
        if load.bytes < load.requests * self.download.answer_bytes:
            raise CannotMeasure(f"{load.bytes} bytes in {load.requests} answers are too few")
        return figures

    def _load(self, seconds: float) -> Load:
        client = self.bench.forced_client or self.download.client
        run = self.bench.client.wrk if client == "wrk" else self.bench.client.fetch
        return run(self.server.port, self.path, self.download.connections, seconds, self.fields)

    def _check(self, file: Path) -> None:
        if self.download.ranges:
            self.fields = ["Range: bytes=" + ",".join(f"{first}-{last}" for first, last in self.download.ranges)]
            check_ranges(ask(self.server.port, self.path, self.fields), file, self.download.ranges)
            return
        answer = ask(self.server.port, self.path)
        check_whole(answer, file)
        if self.download.conditional:
            if answer.etag:
                self.fields = [f"If-None-Match: {answer.etag}"]
            elif answer.last_modified:
                self.fields = [f"If-Modified-Since: {answer.last_modified}"]
            else:
                raise CannotMeasure("gives no validator")
            expect_status(ask(self.server.port, self.path, self.fields), 304)
