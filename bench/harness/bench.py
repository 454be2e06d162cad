"""What every contestant of a run has in common."""

from dataclasses import dataclass
from pathlib import Path

from .cores import Cores
from .data_files import DataFiles
from .load_client import LoadClient
from .place import Place
from .running_server import RunningServer, free_port, fresh_folder
from .server_kind import ServerKind
from .toolbox import Toolbox


@dataclass(frozen=True)
class Bench:
    toolbox: Toolbox
    cores: Cores
    data: DataFiles
    client: LoadClient
    # Holds the data, the uploads and the servers' own files, all on one file system.
    folder: Path
    slice_seconds: float
    # "wrk" or "fetch" for all downloads; None for what suits the scenario.
    forced_client: str | None = None

    def start(self, kind: ServerKind, root: Path, cores: tuple[int, ...] = ()) -> RunningServer:
        """On the server's core, or on `cores`."""
        run = fresh_folder(self.folder / "run" / kind.name)
        return RunningServer(kind, Place(free_port(), root, run), cores or (self.cores.server,))
