"""What a download scenario asks for."""

from dataclasses import dataclass

from .answer_check import Range


@dataclass(frozen=True)
class Download:
    # Of the file, in bytes.
    size: int
    connections: int
    # "wrk" for small answers, "fetch" for large ones, where wrk would be busier than the server.
    client: str
    # Figures are a GiB instead of a request.
    counts_bytes: bool = False
    ranges: tuple[Range, ...] = ()
    # Asks with the validator that the server gave, and wants 304.
    conditional: bool = False

    @property
    def answer_bytes(self) -> int:
        """The least content in an answer: several ranges come with part heads as well."""
        if self.conditional:
            return 0
        return sum(last - first + 1 for first, last in self.ranges) if self.ranges else self.size
