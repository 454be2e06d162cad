"""Reads an answer from a stream."""

from dataclasses import dataclass
from typing import BinaryIO


@dataclass(frozen=True)
class Answer:
    status: int
    # By lower-case name.
    fields: dict[str, str]


def read_answer(stream: BinaryIO, has_body: bool) -> Answer:
    """One answer whose body, if any, has a length.

    Raises:
        SystemExit: the server closed, or the answer has no length.
    """
    lines = []
    while True:
        line = stream.readline()
        if not line:
            raise SystemExit("uvdrop closed the connection")
        if line == b"\r\n":
            break
        lines.append(line.decode("latin-1").strip())
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if has_body:
        if "content-length" not in fields:
            raise SystemExit(f"an answer without Content-Length: {lines[0]}")
        stream.read(int(fields["content-length"]))
    return Answer(int(lines[0].split()[1]), fields)
