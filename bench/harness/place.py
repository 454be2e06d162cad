"""Where one server runs: its port, the folder that it serves, and a folder for its own files."""

import grp
import os
import pwd
from dataclasses import dataclass
from pathlib import Path

PEERS = Path(__file__).resolve().parent.parent / "peers"


@dataclass(frozen=True)
class Place:
    port: int
    root: Path
    run: Path

    def render(self, template: str, **values: str) -> Path:
        """Writes bench/peers/TEMPLATE with its @NAME@ filled in to the run folder, and says where."""
        text = (PEERS / template).read_text()
        common = {
            "PORT": str(self.port),
            "ROOT": str(self.root),
            "RUN": str(self.run),
            "USER": pwd.getpwuid(os.getuid()).pw_name,
            "GROUP": grp.getgrgid(os.getgid()).gr_name,
        }
        for name, value in {**common, **values}.items():
            text = text.replace(f"@{name}@", value)
        path = self.run / template
        path.write_text(text)
        return path
