"""All scenarios with their targets."""

from dataclasses import replace

from . import catalogue
from .bench import Bench
from .contestant import Contestant
from .data_files import GIB, KIB, MIB
from .disk_contestant import DiskContestant
from .download import Download
from .download_contestant import DownloadContestant
from .idle_contestant import IdleContestant
from .listing_contestant import ListingContestant
from .mixed_contestant import MixedContestant
from .scenario import Scenario
from .serial_contestant import SerialContestant
from .server_kind import ServerKind
from .small_form_contestant import SmallFormContestant
from .start_contestant import StartContestant
from .target import BEST_PEER, Target
from .upload_contestant import UploadContestant
from .workers_contestant import WorkersContestant

IDLE_CONNECTIONS = 10_000
LIST_ENTRIES = 100_000
SMALL_FORMS = 10_000
# A serial writer is slow enough for this to be exact.
SERIAL_FILES = 1000
# Apart from each other, so that no server may join them, and in order. The single one is 1 MiB, and so are the sixteen together.
ONE_RANGE = ((50 * MIB, 51 * MIB - 1),)
SIXTEEN_RANGES = tuple((index * 6 * MIB + 1000, index * 6 * MIB + 1000 + 64 * KIB - 1) for index in range(16))


def all_scenarios() -> list[Scenario]:
    return [
        *(
            _small(f"get-{kib}k{suffix}", kib * KIB, connections, floor_bound)
            for suffix, connections, floor_bound in [("", 32, 1.10), ("-256", 256, 1.20)]
            for kib in (1, 16)
        ),
        _download(
            "get-100k", Download(100 * KIB, 16, "fetch"),
            Target("cpu_us", 0.95, BEST_PEER), Target("cpu_us", 1.15, "floor"),
        ),
        _download(
            "get-1m", Download(MIB, 16, "fetch"), Target("cpu_us", 0.80, BEST_PEER), Target("cpu_us", 1.15, "floor")),
        *(
            _download(
                f"get-1g-{connections}", Download(GIB, connections, "fetch", counts_bytes=True),
                Target("cpu_ms_gib", 0.95, "nginx"), Target("mib_s", 1, "nginx", at_least=True),
                Target("cpu_ms_gib", 1.10, "floor"),
            )
            for connections in (1, 8)
        ),
        _download(
            "conditional-304", Download(KIB, 32, "wrk", conditional=True),
            Target("cpu_us", 1.20, "floor"), Target("cpu_us", 0.95, BEST_PEER),
        ),
        _download("range-1", Download(100 * MIB, 16, "fetch", ranges=ONE_RANGE), Target("cpu_us", 0.95, BEST_PEER)),
        _download("range-16", Download(100 * MIB, 16, "fetch", ranges=SIXTEEN_RANGES), Target("cpu_us", 0.95, BEST_PEER)),
        *(_put(connections) for connections in (1, 8)),
        *(_multipart(connections) for connections in (1, 8)),
        *(_full(connections, by_form) for by_form in (False, True) for connections in (1, 8)),
        Scenario(
            f"form-4k-{SMALL_FORMS}", f"{SMALL_FORMS} forms of 4 KiB each, synced before the answer; 32 connections", "requests_s",
            (Target("requests_s", 3, "serial", at_least=True),), _small_forms,
        ),
        Scenario(
            "idle-10k", f"{IDLE_CONNECTIONS} idle keep-alive connections", "kib_connection",
            (Target("kib_connection", 2), Target("connections", IDLE_CONNECTIONS, at_least=True)), _idle,
        ),
        Scenario(
            "mixed-p99", "GET of 1 KiB beside 8 uploads and 8 cold downloads at 20 MB/s each and 100 stalled readers", "p99_us",
            (Target("p99_us", 1, "nginx-aio"),), _mixed,
        ),
        Scenario(
            "workers", "GET of 1 KiB by one worker and by two, on both cores, one of which the load has as well", "requests_s", (),
            _workers,
        ),
        Scenario("start", "start to first answer", "start_ms", (Target("start_ms", 30),), _start),
        Scenario(
            "list-100k", f"JSON list of {LIST_ENTRIES} files", "first_cpu_s",
            (Target("first_cpu_s", 0.6), Target("again_cpu_s", 0.1), Target("page_cpu_ms", 5), Target("growth_mib", 32)), _list,
        ),
    ]  # fmt: skip


def _small(name: str, size: int, connections: int, floor_bound: float) -> Scenario:
    targets = Target("cpu_us", 0.88, BEST_PEER), Target("cpu_us", floor_bound, "floor")
    return _download(name, Download(size, connections, "wrk"), *targets)


def _download(name: str, download: Download, *targets: Target) -> Scenario:
    what = f"GET of {_size(download.size)}"
    if download.conditional:
        what = "GET that is answered with 304"
    if download.ranges:
        what = f"GET of {len(download.ranges)} range(s), 1 MiB in all, of {_size(download.size)}"
    title = f"{what}; {download.connections} connection(s)"
    main_figure = "cpu_ms_gib" if download.counts_bytes else "cpu_us"

    def contestants(bench: Bench) -> list[Contestant]:
        def contestant(kind: ServerKind, is_peer: bool) -> Contestant:
            return DownloadContestant(bench, kind.name, kind, is_peer, download)

        floor = _download_floor(bench, download)
        own = [contestant(catalogue.uvdrop(bench.toolbox), False), *([contestant(floor, False)] if floor else [])]
        return own + [contestant(kind, True) for kind in catalogue.peers(bench.toolbox)]

    return Scenario(name, title, main_figure, targets, contestants)


def _download_floor(bench: Bench, download: Download) -> ServerKind | None:
    if download.ranges:
        return None
    if download.conditional:
        return catalogue.floor(bench.toolbox, "constant", "0", "304")
    if download.client == "wrk":
        return catalogue.floor(bench.toolbox, "constant", str(download.size))
    return catalogue.floor(bench.toolbox, "sendfile", f"@ROOT@/{download.size}.bin")


def _size(count: int) -> str:
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if count >= unit:
            return f"{count // unit} {name}"
    return f"{count} bytes"


def _put(connections: int) -> Scenario:
    def contestants(bench: Bench) -> list[Contestant]:
        kinds = [catalogue.uvdrop(bench.toolbox), catalogue.floor(bench.toolbox, "receive", "@ROOT@")]
        own = [_upload(bench, kind.name, kind, False, connections, by_form=False) for kind in kinds]
        return own + [
            _upload(bench, kind.name, kind, True, connections, by_form=False) for kind in catalogue.peers(bench.toolbox)]  # fmt: skip

    targets = (
        *(Target("mib_s", 2.5, nginx, at_least=True) for nginx in ("nginx", "nginx-plain")),
        Target("mib_s", 0.75, "floor", at_least=True),
    )
    return Scenario(f"put-1g-{connections}", f"PUT of 1 GiB, not synced; {connections} client(s)", "mib_s", targets, contestants)


def _multipart(connections: int) -> Scenario:
    """Forms, and beside them what PUT costs: few peers take forms, and none of the fast ones."""

    def contestants(bench: Bench) -> list[Contestant]:
        uvdrop, peers = catalogue.uvdrop(bench.toolbox), catalogue.peers(bench.toolbox)
        floor = catalogue.floor(bench.toolbox, "receive", "@ROOT@")
        nginx = [kind for kind in peers if kind.name.startswith("nginx")]
        beside = [(f"{kind.name} PUT", kind) for kind in [uvdrop, floor, *nginx]]
        return [
            _upload(bench, "uvdrop", uvdrop, False, connections, by_form=True),
            *(_upload(bench, name, kind, False, connections, by_form=False) for name, kind in beside),
            *(_upload(bench, kind.name, kind, True, connections, by_form=True) for kind in peers),
        ]

    targets = (
        *(Target("mib_s", 2.5, f"{nginx} PUT", at_least=True) for nginx in ("nginx", "nginx-plain")),
        Target("mib_s", 0.75, "floor PUT", at_least=True),
        Target("cpu_ms_gib", 1.15, "uvdrop PUT"),
    )
    title = f"multipart form of 1 GiB, not synced; {connections} client(s)"
    return Scenario(f"multipart-1g-{connections}", title, "mib_s", targets, contestants)


def _full(connections: int, by_form: bool) -> Scenario:
    """Synced before the answer, beside the floor that syncs too, and beside one write and fsync of the same bytes."""

    def contestants(bench: Bench) -> list[Contestant]:
        own = catalogue.uvdrop(bench.toolbox, durability="full")
        floor = catalogue.floor(bench.toolbox, "receive", "@ROOT@", "sync")
        return [
            _upload(bench, "uvdrop", own, False, connections, by_form=by_form),
            _upload(bench, "floor PUT" if by_form else "floor", floor, False, connections, by_form=False),
            DiskContestant(bench, connections * GIB),
        ]

    name = f"{'multipart' if by_form else 'put'}-1g{'' if connections == 1 else f'-{connections}'}-full"
    what = "multipart form" if by_form else "PUT"
    return Scenario(name, f"{what} of 1 GiB, synced before the answer; {connections} client(s)", "mib_s", (), contestants)


def _small_forms(bench: Bench) -> list[Contestant]:
    """What a durable answer costs, and beside it what the same costs without syncing."""
    own = [(name, catalogue.uvdrop(bench.toolbox, durability)) for name, durability in [("uvdrop", "full"), ("uvdrop unsynced", "none")]]
    return [
        *(SmallFormContestant(bench, name, kind, size=4 * KIB, count=SMALL_FORMS, connections=32) for name, kind in own),
        SerialContestant(bench, size=4 * KIB, count=SERIAL_FILES),
    ]


def _upload(bench: Bench, name: str, kind: ServerKind, is_peer: bool, connections: int, by_form: bool) -> Contestant:
    return UploadContestant(bench, name, kind, is_peer, size=GIB, connections=connections, by_form=by_form)


def _idle(bench: Bench) -> list[Contestant]:
    return [IdleContestant(bench, *entrant, IDLE_CONNECTIONS) for entrant in _all(bench)]


def _mixed(bench: Bench) -> list[Contestant]:
    kinds = [(catalogue.uvdrop(bench.toolbox), False), (catalogue.nginx_aio(), True)]
    kinds += [(kind, True) for kind in catalogue.peers(bench.toolbox)]
    return [MixedContestant(bench, kind.name, kind, is_peer) for kind, is_peer in kinds]


def _workers(bench: Bench) -> list[Contestant]:
    """Without the option uvdrop has one worker."""
    download = Download(KIB, 32, "wrk")
    two = replace(catalogue.uvdrop(bench.toolbox, more=("--workers", "2")), name="uvdrop-workers-2")
    return [
        WorkersContestant(bench, "uvdrop", catalogue.uvdrop(bench.toolbox), download, 1),
        WorkersContestant(bench, "uvdrop --workers 2", two, download, 2),
    ]


def _start(bench: Bench) -> list[Contestant]:
    return [StartContestant(bench, *entrant) for entrant in _all(bench)]


def _list(bench: Bench) -> list[Contestant]:
    return [ListingContestant(bench, *entrant, LIST_ENTRIES) for entrant in _all(bench) if entrant[0] != "floor"]


def _all(bench: Bench) -> list[tuple[str, ServerKind, bool]]:
    """uvdrop, the floor with a small answer, and every peer: name, kind, and whether it is a peer."""
    own = [catalogue.uvdrop(bench.toolbox), catalogue.floor(bench.toolbox, "constant", str(KIB))]
    return [*((kind.name, kind, False) for kind in own), *((kind.name, kind, True) for kind in catalogue.peers(bench.toolbox))]
