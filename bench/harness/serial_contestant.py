"""The disk itself: what storing small files durably costs without any server, one after the other."""

import json
import subprocess

from .bench import Bench
from .contestant import Contestant
from .running_server import fresh_folder
from .small_form_contestant import spreading_folder


class SerialContestant(Contestant):
    """floor/serial: write, fsync, rename and fsync of the folder for each file."""

    def __init__(self, bench: Bench, *, size: int, count: int) -> None:
        super().__init__("serial", is_peer=False)
        self.bench = bench
        self.size = size
        self.count = count
        self.root = bench.folder / "uploads" / "serial"
        self._slices = 0

    def prepare(self) -> None:
        spreading_folder(self.root)

    def measure(self) -> dict[str, float]:
        self._slices += 1
        folder = self.root / f"slice-{self._slices}"
        folder.mkdir()
        subprocess.run(["sync"], check=True)
        program = str(self.bench.toolbox.binary("serial"))
        command = ["taskset", "-c", str(self.bench.cores.server), program, str(folder), str(self.count), str(self.size)]
        done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return {"requests_s": done["requests"] / done["seconds"]}

    def close(self) -> None:
        if self.root.exists():
            fresh_folder(self.root)
