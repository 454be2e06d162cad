"""A load that runs until its `with` block ends."""

import json
import signal
import subprocess
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from .cannot_measure import CannotMeasure

PATIENCE_SECONDS = 30.0


class BackgroundLoad:
    """uvload, which prints its result when it is told to end."""

    def __init__(self, command: Sequence[str]) -> None:
        self.result: dict[str, Any] = {}
        # Both pipes hold all that it prints, which is its result at the end.
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True)

    def __enter__(self) -> "BackgroundLoad":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            output, said = self._process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            raise CannotMeasure("the load did not end") from None
        if error is None:
            self.result = checked(self._process.returncode, output, said)


def checked(status: int, output: str, said: str) -> dict[str, Any]:
    """The result of uvload.

    Raises:
        CannotMeasure: it could not run, or a request failed; with the first failure.
    """
    if status not in (0, 1) or not output.strip():
        raise CannotMeasure(f"the load failed: {(said.strip() or 'no reason given').splitlines()[0]}")
    result: dict[str, Any] = json.loads(output)
    for load in result["loads"]:
        for errors in load["errors"].values():
            asked = load["requests"] + errors["count"]
            raise CannotMeasure(f"{errors['count']} of {asked} {load['kind']} requests: {errors['first']}")
    return result
