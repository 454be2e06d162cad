"""The requests that are counted."""

from collections.abc import Callable
from dataclasses import dataclass

KIB = 1 << 10
SMALL, MEDIUM = "small.bin", "medium.bin"
FILES = {SMALL: KIB, MEDIUM: 100 * KIB}
BOUNDARY = "----guard-3f5a9c1e"
LONGEST_BOUNDARY = "a" * 70
LARGE = 256 * KIB


@dataclass(frozen=True)
class Request:
    """One kind of request. `make` gives the bytes of the request of a number, all of one length; `status` is the right answer;
    `count` is how many are enough to tell."""

    name: str
    status: int
    make: Callable[[int, str], bytes]
    count: int = 500


def _get(path: str, *fields: str) -> bytes:
    return "\r\n".join([f"GET /{path} HTTP/1.1", "Host: 127.0.0.1", *fields, "", ""]).encode()


def _put(number: int, _: str) -> bytes:
    head = f"PUT /put-{number:06}.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {4 * KIB}\r\n\r\n"
    return head.encode() + bytes(4 * KIB)


def _form(name: str, boundary: str, content: bytes) -> bytes:
    part = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}.bin"\r\n\r\n'.encode()
    body = part + content + f"\r\n--{boundary}--\r\n".encode()
    head = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n"
    head += f"Content-Type: multipart/form-data; boundary={boundary}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _beginnings(count: int) -> bytes:
    """Beginnings of the longest delimiter, `count` bytes each and no whole one: what keeps a search for it busy."""
    unit = f"\r\n--{LONGEST_BOUNDARY}"[:count].encode()
    return (unit * (LARGE // count + 1))[:LARGE]


# `etag` is that of the small file.
REQUESTS = [
    Request("get-1k", 200, lambda _, etag: _get(SMALL)),
    Request("get-100k", 200, lambda _, etag: _get(MEDIUM)),
    Request("conditional-304", 304, lambda _, etag: _get(SMALL, f"If-None-Match: {etag}")),
    Request("range-1k", 206, lambda _, etag: _get(MEDIUM, "Range: bytes=1000-2023")),
    Request("put-4k", 201, _put),
    Request("multipart-4k", 201, lambda number, _: _form(f"form-{number:06}", BOUNDARY, bytes(4 * KIB))),
    Request("multipart-256k", 201, lambda number, _: _form(f"large-{number:06}", BOUNDARY, bytes(LARGE)), 50),
    Request("hostile-5", 201, lambda number, _: _form(f"short-{number:06}", LONGEST_BOUNDARY, _beginnings(5)), 50),
    Request("hostile-73", 201, lambda number, _: _form(f"long-{number:06}", LONGEST_BOUNDARY, _beginnings(73)), 50),
]
