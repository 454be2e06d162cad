"""uvdrop with several processes, where it has them."""

import subprocess

from .bench import Bench
from .cannot_measure import CannotMeasure
from .download import Download
from .download_contestant import DownloadContestant
from .server_kind import ServerKind


class WorkersContestant(DownloadContestant):
    """May run on both cores. The load still has one of them, so the second worker gets what the load leaves."""

    def __init__(self, bench: Bench, name: str, kind: ServerKind, download: Download, workers: int) -> None:
        super().__init__(bench, name, kind, False, download)
        self.workers = workers

    def prepare(self) -> None:
        if self.workers > 1 and not knows_workers(self.kind.program):
            raise CannotMeasure("this uvdrop knows no --workers")
        self.cores = (self.bench.cores.server, self.bench.cores.client)
        super().prepare()


def knows_workers(uvdrop: str) -> bool:
    done = subprocess.run([uvdrop, "--help"], capture_output=True, text=True)
    return "--workers" in done.stdout
