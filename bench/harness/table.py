"""A table in plain text."""

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they must be, the first to the left and the others to the right. Rows may be short."""
    columns = len(header)
    lines = [list(header), *([*row, *[""] * (columns - len(row))] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(columns)]
    rule = "  ".join("-" * width for width in widths)

    def text(line: Sequence[str]) -> str:
        cells = [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))]
        return "  ".join(cells).rstrip()

    return "\n".join([text(lines[0]), rule, *(text(line) for line in lines[1:])])
