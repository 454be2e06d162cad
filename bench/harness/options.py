"""The command line of bench/run."""

import argparse
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Options:
    scenarios: list[str]
    rounds: int
    json: Path | None
    lists: bool
    markdown: Path | None
    slice_seconds: float
    servers: list[str]
    folder: Path | None
    client: str | None
    builds: bool
    installs: bool

    @classmethod
    def parse(cls, arguments: list[str] | None = None) -> "Options":
        parser = argparse.ArgumentParser(
            prog="bench/run", description="Measures uvdrop beside other servers and beside the floor, in interleaved slices.")  # fmt: skip
        parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="what to measure; all when none is named")
        parser.add_argument("--rounds", type=_positive, default=5, help="slices a server gets (default 5)")
        parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples there")
        parser.add_argument("--list", action="store_true", dest="lists", help="name the scenarios and end")
        parser.add_argument("--markdown", type=Path, metavar="FILE", help="print the README's table from a run's JSON and end")
        parser.add_argument("--slice", type=float, default=2, metavar="SECONDS", help="length of a slice of downloads (default 2)")
        parser.add_argument("--servers", type=_names, default=[], metavar="A,B,…", help="only these, as the table names them")
        parser.add_argument("--folder", type=Path, help="where data, uploads and servers' files go (default .build/bench)")
        parser.add_argument("--client", choices=["wrk", "fetch"], help="the load client of all downloads, instead of the one that suits")
        parser.add_argument("--no-build", action="store_false", dest="builds", help="take uvdrop as it was built last")
        parser.add_argument("--no-install", action="store_false", dest="installs", help="leave out what is not installed")
        parsed = parser.parse_args(arguments)
        return cls(
            parsed.scenarios, parsed.rounds, parsed.json, parsed.lists, parsed.markdown, parsed.slice, parsed.servers, parsed.folder,
            parsed.client, parsed.builds, parsed.installs)  # fmt: skip


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]
