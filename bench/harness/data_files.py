"""The files that are served and sent."""

import random
from pathlib import Path

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
BESIDE_LIST = "1024.bin"


class DataFiles:
    """Random bytes, the same in every run, made when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "data"
        self.list_root = folder / "list"

    def file(self, size: int) -> Path:
        path = self.root / f"{size}.bin"
        if not path.exists() or path.stat().st_size != size:
            self.root.mkdir(parents=True, exist_ok=True)
            block = random.Random(size).randbytes(min(size, 64 * MIB - 1))  # not a power of two: pages differ
            with open(path, "wb") as file:
                while (left := size - file.tell()) > 0:
                    file.write(block[:left])
        return path

    def folder_of(self, count: int) -> Path:
        """A folder with that many empty files, and beside them one of 1 KiB for who downloads meanwhile."""
        folder = self.list_root
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(len([entry for entry in folder.iterdir() if entry.name.startswith("file-")]), count):
            (folder / f"file-{number:06}.txt").touch()
        (folder / BESIDE_LIST).write_bytes(random.Random(KIB).randbytes(KIB))
        return folder

    @staticmethod
    def warm(path: Path) -> None:
        """Reads it once, so that it is in the page cache."""
        with open(path, "rb", buffering=0) as file:
            while file.read(4 * MIB):
                pass
