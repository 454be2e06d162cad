"""A server that is sent many small files, each in a form of its own."""

import dataclasses
import os
import subprocess
from pathlib import Path

from .bench import Bench
from .cannot_measure import CannotMeasure
from .running_server import fresh_folder
from .server_contestant import ServerContestant
from .server_kind import ServerKind
from .upload_request import form_request

CHECK_COUNT = 100


def spreading_folder(path: Path) -> Path:
    """A fresh folder whose subfolders ext4 keeps apart from each other (`chattr +T`), as far as the file system knows that.

    ext4 passes over the inodes that were freed in the last minutes one by one: creating a file after many have been removed takes
    up to a hundred times as long. So each slice has a folder of its own among inodes of its own, and nothing is removed before
    the end.
    """
    fresh_folder(path)
    subprocess.run(["chattr", "+T", str(path)], check=False, stderr=subprocess.DEVNULL)
    return path


class SmallFormContestant(ServerContestant):
    def __init__(self, bench: Bench, name: str, kind: ServerKind, *, size: int, count: int, connections: int) -> None:
        super().__init__(bench, name, kind, is_peer=False)
        self.size = size
        self.count = count
        self.connections = connections
        self.root = bench.folder / "uploads" / name.replace(" ", "-")
        self._slices = 0

    def prepare(self) -> None:
        self.start(spreading_folder(self.root))
        self._send(CHECK_COUNT)
        self.is_warm()

    def measure(self) -> dict[str, float]:
        return self._send(self.count)

    def close(self) -> None:
        super().close()
        if self.root.exists():
            fresh_folder(self.root)

    def _send(self, count: int) -> dict[str, float]:
        """Sends so many files into a new folder, and looks at each afterwards."""
        if not self.kind.form:
            raise CannotMeasure("takes no forms")
        self._slices += 1
        folder = self.root / f"slice-{self._slices}"
        folder.mkdir()
        form = dataclasses.replace(self.kind.form, path=f"/{folder.name}/")
        head, tail = form_request(self.server.port, self.size, form)
        run = self.bench.folder / "run"
        (run / "head").write_bytes(head)
        (run / "tail").write_bytes(tail)
        body = self.bench.data.file(self.size)
        os.sync()
        _, figures = self.watch(
            lambda: self.bench.client.forms(self.server.port, self.connections, count, run / "head", body, run / "tail"),
            counts_bytes=False,
        )
        content = body.read_bytes()
        stored = sum(path.read_bytes() == content for path in folder.iterdir())
        if stored != count:
            raise CannotMeasure(f"stored {stored} of {count} files whole")
        return figures
