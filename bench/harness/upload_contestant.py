"""A server that is sent large files."""

import filecmp
import os
from pathlib import Path

from .bench import Bench
from .cannot_measure import CannotMeasure
from .data_files import MIB
from .load import Load
from .running_server import fresh_folder
from .server_contestant import ServerContestant
from .server_kind import ServerKind
from .upload_request import form_request, put_request

CHECK_BYTES = 8 * MIB + 1


class UploadContestant(ServerContestant):
    """Before each slice the uploads of the last one are removed and the disk is quiet; neither is measured."""

    def __init__(
        self, bench: Bench, name: str, kind: ServerKind, is_peer: bool, *, size: int, connections: int, by_form: bool
    ) -> None:
        super().__init__(bench, name, kind, is_peer)
        self.size = size
        self.connections = connections
        self.by_form = by_form
        self.root = bench.folder / "uploads" / name.replace(" ", "-")

    def prepare(self) -> None:
        if self.by_form and not self.kind.form:
            raise CannotMeasure("takes no forms")
        if not self.by_form and not self.kind.takes_put:
            raise CannotMeasure("takes no PUT")
        self.start(fresh_folder(self.root))
        self._send(CHECK_BYTES, 1)
        if not filecmp.cmp(self._stored(CHECK_BYTES, 1)[0], self.bench.data.file(CHECK_BYTES), shallow=False):
            raise CannotMeasure("what it stored is not what was sent")
        self._clear()
        self.is_warm()

    def measure(self) -> dict[str, float]:
        os.sync()
        self.bench.data.warm(self.bench.data.file(self.size))
        _, figures = self.watch(lambda: self._send(self.size, self.connections), counts_bytes=True)
        self._stored(self.size, self.connections)
        self._clear()
        return figures

    def close(self) -> None:
        super().close()
        if self.root.exists():
            self._clear()

    def _send(self, size: int, connections: int) -> Load:
        port = self.server.port
        form = self.kind.form if self.by_form else None
        head, tail = form_request(port, size, form) if form else put_request(port, size)
        folder = self.bench.folder / "run"
        (folder / "head").write_bytes(head)
        (folder / "tail").write_bytes(tail)
        load = self.bench.client.upload(port, connections, folder / "head", self.bench.data.file(size), folder / "tail")
        if load.errors:
            raise CannotMeasure(f"refused {load.errors} of {connections} uploads")
        return load

    def _stored(self, size: int, count: int) -> list[Path]:
        stored = [path for path in self._files() if path.stat().st_size == size]
        if len(stored) != count:
            raise CannotMeasure(f"stored {len(stored)} of {count} files")
        return stored

    def _files(self) -> list[Path]:
        return [path for path in self.root.iterdir() if path.is_file() and not path.name.startswith(".")]

    def _clear(self) -> None:
        for path in self._files():
            path.unlink()
