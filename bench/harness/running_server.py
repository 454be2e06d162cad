"""A server that was started for a measurement."""

import http.client
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType

from .cannot_measure import CannotMeasure
from .place import Place
from .process_tree import ProcessTree
from .server_kind import ServerKind
from .toolbox import is_there

START_SECONDS = 30.0


class RunningServer:
    """Starts the server on its cores and ends it, with all its processes, when the `with` block ends."""

    def __init__(self, kind: ServerKind, place: Place, cores: tuple[int, ...]) -> None:
        if not is_there(kind.program):
            raise CannotMeasure("not installed")
        self.kind = kind
        self.port = place.port
        place.run.mkdir(parents=True, exist_ok=True)
        command = ["taskset", "-c", ",".join(str(core) for core in cores), *kind.command(place)]
        self._log = place.run / "log"
        with open(self._log, "wb") as log:
            self.started = time.monotonic()
            # A session of its own, so that it can be ended as a whole and Ctrl-C reaches only this program.
            self._process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        self.tree = ProcessTree(self._process.pid)

    def __enter__(self) -> "RunningServer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()

    def wait_until_it_answers(self, path: str = "/") -> float:
        """Seconds from its start to the end of its first answer.

        Raises:
            CannotMeasure: when it ended or did not answer in time; with the last line that it wrote.
        """
        while time.monotonic() - self.started < START_SECONDS:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=START_SECONDS)
                connection.request("GET", path)
                connection.getresponse().read()
                seconds = time.monotonic() - self.started
                connection.close()
                return seconds
            except (OSError, http.client.HTTPException):
                if self._process.poll() is not None:
                    raise CannotMeasure(f"ended at once: {self._last_words()}") from None
                time.sleep(0.0002)
        raise CannotMeasure(f"did not answer in {START_SECONDS:g} s: {self._last_words()}")

    def _last_words(self) -> str:
        lines = [line for line in self._log.read_text(errors="replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else "it said nothing"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fresh_folder(path: Path) -> Path:
    """An empty folder that every user may write to: Apache's workers are not root."""
    subprocess.run(["rm", "-rf", path], check=True)
    path.mkdir(parents=True)
    path.chmod(0o777)
    return path
