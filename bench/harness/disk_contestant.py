"""The disk itself: what writing and syncing the same bytes costs without any server."""

import os
import time

from .bench import Bench
from .contestant import Contestant
from .data_files import MIB
from .running_server import fresh_folder


class DiskContestant(Contestant):
    def __init__(self, bench: Bench, size: int) -> None:
        super().__init__("write + fsync", is_peer=False)
        self.size = size
        self.root = bench.folder / "uploads" / "disk"
        self._piece = os.urandom(MIB)

    def prepare(self) -> None:
        fresh_folder(self.root)

    def measure(self) -> dict[str, float]:
        os.sync()
        path = self.root / "file"
        begin = time.monotonic()
        with open(path, "wb", buffering=0) as file:
            for _ in range(self.size // MIB):
                file.write(self._piece)
            written = time.monotonic()
            os.fsync(file.fileno())
        end = time.monotonic()
        path.unlink()
        return {"mib_s": self.size / MIB / (end - begin), "fsync_ms": 1e3 * (end - written)}
