"""How a server wants a file in a multipart form."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Form:
    path: str = "/"
    file_field: str = "file"
    # Fields that come before the file.
    fields: dict[str, str] = field(default_factory=dict)
