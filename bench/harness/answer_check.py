"""Whether a server's answer is the right one. A server that answers fast but wrong is not measured."""

import http.client
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .cannot_measure import CannotMeasure

Range = tuple[int, int]  # first and last byte


@dataclass(frozen=True)
class Answer:
    status: int
    content_type: str
    content_range: str
    etag: str
    last_modified: str
    body: bytes


def ask(port: int, path: str, fields: Sequence[str] = ()) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers=dict(field.split(": ", 1) for field in fields))
        response = connection.getresponse()
        header = response.headers
        return Answer(
            response.status, header.get("Content-Type", ""), header.get("Content-Range", ""), header.get("ETag", ""),
            header.get("Last-Modified", ""), response.read())  # fmt: skip
    except (OSError, http.client.HTTPException) as error:
        raise CannotMeasure(f"no usable answer: {error!r}") from None
    finally:
        connection.close()


def check_whole(answer: Answer, file: Path) -> None:
    expect_status(answer, 200)
    if answer.body != file.read_bytes():
        raise CannotMeasure("the body is not the file")


def check_ranges(answer: Answer, file: Path, ranges: Sequence[Range]) -> None:
    expect_status(answer, 206)
    single = [(answer.content_range, answer.body)]
    parts = single if len(ranges) == 1 else parts_of(answer.content_type, answer.body)
    if len(parts) != len(ranges):
        raise CannotMeasure(f"{len(parts)} parts for {len(ranges)} ranges")
    size = file.stat().st_size
    with open(file, "rb") as bytes_:
        for (first, last), (content_range, body) in zip(ranges, parts):
            if content_range != f"bytes {first}-{last}/{size}":
                raise CannotMeasure(f"Content-Range is {content_range!r}")
            bytes_.seek(first)
            if body != bytes_.read(last - first + 1):
                raise CannotMeasure("the body is not that part of the file")


def expect_status(answer: Answer, status: int) -> None:
    if answer.status != status:
        raise CannotMeasure(f"answers {answer.status} instead of {status}")


def parts_of(content_type: str, body: bytes) -> list[tuple[str, bytes]]:
    """Content-Range and content of each part of a multipart/byteranges body (RFC 9110 section 14.6); empty if it is none."""
    match = re.match(r'multipart/byteranges;\s*boundary="?([^";]+)"?', content_type, re.IGNORECASE)
    if not match:
        return []
    delimiter = b"--" + match[1].encode()
    parts = []
    for piece in (b"\r\n" + body).split(b"\r\n" + delimiter)[1:]:
        if piece.startswith(b"--"):
            break
        head, _, content = piece.partition(b"\r\n\r\n")
        field = re.search(rb"^content-range:\s*(.*?)\s*$", head, re.IGNORECASE | re.MULTILINE)
        parts.append((field[1].decode() if field else "", content))
    return parts
