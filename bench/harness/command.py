"""bench/run."""

import datetime
import json
import os
import platform
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from . import catalogue, report, runner
from .bench import Bench
from .cannot_measure import CannotMeasure
from .cores import Cores
from .data_files import DataFiles
from .load_client import LoadClient
from .markdown import markdown
from .options import Options
from .place import PEERS
from .scenario import Scenario
from .scenarios import all_scenarios
from .toolbox import PACKAGE, Toolbox


def main() -> int:
    # As an exception, so that the servers are stopped whatever ends this program.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    options = Options.parse()
    known = {scenario.name: scenario for scenario in all_scenarios()}
    if options.lists:
        for scenario in known.values():
            print(f"{scenario.name:20} {scenario.title}")
        return 0
    if options.markdown:
        return _print_table(options.markdown)
    unknown = [name for name in options.scenarios if name not in known]
    if unknown:
        print(f"no such scenario: {' '.join(unknown)}; bench/run --list names them", file=sys.stderr)
        return 2
    bench = _prepare(options)
    return _measure(options, bench, [known[name] for name in options.scenarios] or list(known.values()))


def _print_table(file: Path) -> int:
    try:
        print(markdown(json.loads(file.read_text())))
    except (OSError, ValueError, KeyError) as error:
        print(f"{file} is not the JSON of a run: {error}", file=sys.stderr)
        return 2
    return 0


def _prepare(options: Options) -> Bench:
    toolbox, cores = Toolbox(), Cores.pick()
    if options.installs:
        toolbox.install()
    if options.builds:
        toolbox.build()
    toolbox.compile()
    # 10,000 connections and their files, for this process and for all that it starts.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.sched_setaffinity(0, {cores.client})
    folder = (options.folder or toolbox.folder / "work").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    client = LoadClient(toolbox, cores.client)
    return Bench(toolbox, cores, DataFiles(folder), client, folder, options.slice_seconds, options.client)


def _measure(options: Options, bench: Bench, scenarios: list[Scenario]) -> int:
    header = _header(options, bench)
    cores = f"server on core {bench.cores.server}, load on core {bench.cores.client}"
    print(f"{header['machine']}; {cores}; load average {header['load_average']:.2f}")
    print(f"{options.rounds} rounds, slices of {options.slice_seconds:g} s, work in {header['file_system']}")
    print("settings of the peers in bench/peers; versions:")
    for name, version in header["versions"].items():
        print(f"  {name}: {version}")
    documents = []
    for scenario in scenarios:
        try:
            result = runner.run(scenario, bench, options.rounds, options.servers)
        except CannotMeasure as reason:
            print(f"{scenario.name}: {reason}", file=sys.stderr)
            return 2
        print(f"\n{report.text(result, scenario.targets)}", flush=True)
        documents.append(report.document(result, scenario.targets))
        if options.json:  # after each, so that a run that is broken off leaves what it has
            options.json.write_text(json.dumps({**header, "scenarios": documents}, indent=1) + "\n")
    return 0


def _header(options: Options, bench: Bench) -> dict[str, Any]:
    servers = [catalogue.uvdrop(bench.toolbox), *catalogue.peers(bench.toolbox)]
    wanted = [kind for kind in servers if runner.is_chosen(kind.name, options.servers)]
    return {
        "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.system()} {platform.release()}, {_processor()}",
        "load_average": os.getloadavg()[0],
        "file_system": _file_system(bench.folder),
        "rounds": options.rounds,
        "slice_seconds": options.slice_seconds,
        "client": options.client,
        "versions": {
            **{kind.name: bench.toolbox.version(kind.version) for kind in wanted},
            "wrk": bench.toolbox.version(("wrk", "-v")),
            "cc": bench.toolbox.version(("cc", "--version")),
            "revision": bench.toolbox.version(("git", "-C", str(PACKAGE), "describe", "--always", "--dirty")),
        },
        "settings": {path.name: path.read_text() for path in sorted(PEERS.iterdir())},
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _file_system(folder: Path) -> str:
    """The type of the file system that the folder lies in: the longest mount point that begins its path."""
    mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    holding = [(point, kind) for point, kind in mounts if Path(point) == folder or Path(point) in folder.parents]
    return max(holding, key=lambda mount: len(mount[0]))[1] if holding else "an unknown file system"
