"""bench/guard."""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from harness.table import table
from harness.toolbox import BENCH, Toolbox, as_root, is_there

from . import allocations, instructions, limits

MEASURES = {"allocations": allocations.measure, "instructions": instructions.measure}
PROGRAMS = {"valgrind": "valgrind", "gcc": "cc"}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/guard", description="Counts what repeats exactly, a request, and compares it with bench/guards/limits.json.")  # fmt: skip
    named = f"{' or '.join(MEASURES)}; both when none is named"
    parser.add_argument("what", nargs="*", choices=[*MEASURES, []], metavar="WHAT", help=named)
    parser.add_argument("--update", action="store_true", help="set the limits by what is counted now")
    parser.add_argument("--no-build", action="store_false", dest="builds", help="take uvdrop as it was built last")
    parser.add_argument("--no-install", action="store_false", dest="installs", help="install nothing")
    options = parser.parse_args()
    toolbox = Toolbox()
    if options.installs:
        _install()
    if options.builds:
        toolbox.build()
    # On the disk, as a served folder is; a file system in memory may take other ways through the code.
    toolbox.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=toolbox.folder) as folder:
        measured = {what: MEASURES[what](toolbox.uvdrop, Path(folder)) for what in options.what or MEASURES}
    if options.update:
        limits.write({**limits.read(), **limits.limits_for(measured)})
    if "instructions" in measured:
        # Another one may know another set of system calls, and the server then takes other ways.
        print(f"counted by {toolbox.version(('valgrind', '--version'))}")
    return _report(limits.verdicts(measured, limits.read()))


def _report(verdicts: list[limits.Verdict]) -> int:
    rows = []
    for verdict in verdicts:
        limit = "–" if verdict.limit is None else f"{verdict.limit:,.1f}"
        rows.append([verdict.request, verdict.what, f"{verdict.measured:,.1f}", limit, verdict.text])
    print(table(["a request", "counted", "now", "limit", ""], rows))
    failed = any(verdict.is_failure for verdict in verdicts)
    if failed:
        print("If this is what a change is worth, bench/guard --update sets the limits anew.")
    elif any(verdict.text != "fine" for verdict in verdicts):
        print("Some limits would let a lot through unseen: bench/guard --update sets them anew.")
    return 1 if failed else 0


def _install() -> None:
    missing = [package for package, program in PROGRAMS.items() if not is_there(program)]
    if missing:
        subprocess.run([*as_root(), str(BENCH / "install-packages"), *missing], check=True, stdout=sys.stderr)
