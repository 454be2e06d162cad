"""uvdrop, started under something that counts, and one connection to it."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from harness.running_server import free_port

from .answer import read_answer
from .request import FILES, SMALL, Request

PATIENCE_SECONDS = 60.0
# The hashes of dictionaries are not random, so each run takes the same way through them.
STEADY = {"SWIFT_DETERMINISTIC_HASHING": "1"}


class CountedServer:
    """One client, which waits for each answer before it asks again: so the work is the same each time."""

    def __init__(self, uvdrop: Path, folder: Path, prefix: Sequence[str] = (), environment: dict[str, str] | None = None) -> None:
        folder.mkdir(parents=True)
        for name, size in FILES.items():
            (folder / name).write_bytes(bytes(size))
        self.port = free_port()
        options = ["-p", str(self.port), "-b", "127.0.0.1", "--quiet"]
        self._numbers: dict[str, int] = {}
        # A file and not a pipe, which nobody reads meanwhile.
        self._log = folder.parent / f"{folder.name}.log"
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [*prefix, str(uvdrop), str(folder), *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **STEADY, **(environment or {})}, start_new_session=True)  # fmt: skip
        self._socket = self._connect()
        self._socket.settimeout(PATIENCE_SECONDS)
        self._stream = self._socket.makefile("rb")
        self._socket.sendall(f"HEAD /{SMALL} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        self._etag = read_answer(self._stream, has_body=False).fields["etag"]

    def __enter__(self) -> "CountedServer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def ask(self, request: Request, count: int) -> None:
        """Sends the request that often.

        Raises:
            SystemExit: an answer is not the right one, and counts of it would be of something else.
        """
        first = self._numbers.get(request.name, 0)
        self._numbers[request.name] = first + count
        for number in range(first, first + count):
            self._socket.sendall(request.make(number, self._etag))
            answer = read_answer(self._stream, has_body=request.status != 304)
            if answer.status != request.status:
                raise SystemExit(f"{request.name}: the answer is {answer.status} instead of {request.status}")

    def stop(self) -> None:
        """Ends it as its user would, and waits for that: some counts are written at the end."""
        self._socket.close()
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            raise SystemExit("uvdrop did not end") from None
        if self._process.returncode != 0:
            raise SystemExit(f"uvdrop ended with {self._process.returncode}: {self._last_words()}")

    def _connect(self) -> socket.socket:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                return socket.create_connection(("127.0.0.1", self.port), timeout=1)
            except OSError:
                time.sleep(0.02)
        self._process.kill()
        self._process.wait()
        raise SystemExit(f"uvdrop did not start: {self._last_words()}")

    def _last_words(self) -> str:
        return self._log.read_text(errors="replace")[-2000:]
