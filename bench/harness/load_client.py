"""Runs the load clients, on their own core."""

import functools
import json
import math
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .background_load import BackgroundLoad, checked
from .cannot_measure import CannotMeasure
from .load import Load
from .toolbox import BENCH, Toolbox, is_there


class LoadClient:
    def __init__(self, toolbox: Toolbox, core: int) -> None:
        self.toolbox = toolbox
        self.core = core

    def wrk(self, port: int, path: str, connections: int, seconds: float, fields: Sequence[str]) -> Load:
        """wrk, for small answers. It reads bodies 8 KiB at a time: large ones would keep it busier than the server."""
        if not is_there("wrk"):
            raise CannotMeasure("wrk is not installed")
        headers = [argument for field in fields for argument in ("-H", field)]
        script = str(BENCH / "wrk" / "report.lua")
        url = f"http://127.0.0.1:{port}{path}"
        return self._run(
            ["wrk", "-t1", f"-c{connections}", f"-d{math.ceil(seconds)}s", "-s", script, *headers, url], seconds)  # fmt: skip

    def fetch(self, port: int, path: str, connections: int, seconds: float, fields: Sequence[str]) -> Load:
        """bench/clients/fetch: for large answers."""
        fetch = str(self.toolbox.binary("fetch"))
        return self._run([fetch, str(port), path, str(connections), f"{seconds:g}", *fields], seconds)

    def upload(self, port: int, connections: int, head: Path, body: Path, tail: Path) -> Load:
        """bench/clients/upload: one request a connection, all at once."""
        upload = str(self.toolbox.binary("upload"))
        return self._run([upload, str(port), str(connections), str(head), str(body), str(tail)], 0)

    def urgent(self, port: int, loads: Sequence[str], seconds: float) -> dict[str, Any]:
        """uvload before all else on its core, where that is allowed: what it measures is then not its own waiting for a turn."""
        command = self._uvload(port, [*loads, "--duration", f"{seconds:g}s"])
        first = ["chrt", "--fifo", "1"] if may_go_first() else []
        try:
            done = subprocess.run([*first, *command], capture_output=True, text=True, timeout=seconds + 300)
        except subprocess.TimeoutExpired:
            raise CannotMeasure("the load did not end") from None
        return checked(done.returncode, done.stdout, done.stderr)

    def background(self, port: int, loads: Sequence[str]) -> BackgroundLoad:
        """uvload until it is told to end."""
        return BackgroundLoad(self._uvload(port, [*loads, "--duration", "1h"]))

    def content(self, path: Path, size: int) -> Path:
        """A file that uvload can compare with; made when it is not there."""
        if not path.exists() or path.stat().st_size != size:
            path.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([str(self.toolbox.uvload), "--make", f"{path}={size}"], check=True)
        return path

    def _uvload(self, port: int, arguments: list[str]) -> list[str]:
        if not is_there(str(self.toolbox.uvload)):
            raise CannotMeasure("uvload is not built")
        url = f"http://127.0.0.1:{port}"
        return ["taskset", "-c", str(self.core), str(self.toolbox.uvload), "--url", url, "--json", *arguments]

    def forms(self, port: int, connections: int, count: int, head: Path, body: Path, tail: Path) -> Load:
        """bench/clients/forms: many small requests on each connection, one after the other."""
        forms = str(self.toolbox.binary("forms"))
        return self._run([forms, str(port), str(connections), str(count), str(head), str(body), str(tail)], 0)

    def _run(self, command: list[str], seconds: float) -> Load:
        # No child but this one ends meanwhile, so what the ended children used in between is what it used.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(
                ["taskset", "-c", str(self.core), *command], capture_output=True, text=True, timeout=seconds + 300)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise CannotMeasure("the load did not end") from None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise CannotMeasure(f"the load failed: {(done.stderr.strip() or 'no reason given').splitlines()[-1]}")
        cpu_seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Load.parse(json.loads(done.stdout.strip().splitlines()[-1]), cpu_seconds)


@functools.cache
def may_go_first() -> bool:
    """Whether this user may give a process real-time priority. Said once on stderr where not."""
    allowed = is_there("chrt") and subprocess.run(["chrt", "--fifo", "1", "true"], capture_output=True).returncode == 0
    if not allowed:
        print("no real-time priority for the client: its latencies hold its own waiting for the core", file=sys.stderr)
    return allowed
