"""Libraries that are loaded before all others."""

import subprocess
from pathlib import Path


def build(name: str, folder: Path) -> Path:
    """Compiles guards/NAME.c into the folder."""
    source, library = Path(__file__).resolve().parent / f"{name}.c", folder / f"{name}.so"
    options = ["-O2", "-Wall", "-Wextra", "-Werror", "-std=gnu11", "-D_GNU_SOURCE", "-fPIC", "-shared"]
    subprocess.run(["cc", *options, "-o", library, source], check=True)
    return library
