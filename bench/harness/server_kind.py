"""A server that can be measured."""

from collections.abc import Callable
from dataclasses import dataclass

from .form import Form
from .place import Place


@dataclass(frozen=True)
class ServerKind:
    name: str
    # The program that must be there, by name or path.
    program: str
    command: Callable[[Place], list[str]]
    # Prints the version.
    version: tuple[str, ...] = ()
    keeps_alive: bool = True
    takes_put: bool = False
    form: Form | None = None
    # Path and header fields that ask for a folder as JSON.
    json_list: tuple[str, ...] = ()
