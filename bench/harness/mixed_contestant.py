"""A server that answers small requests while it has much else to do."""

import os
import time
from pathlib import Path

from .bench import Bench
from .cannot_measure import CannotMeasure
from .data_files import KIB, MIB
from .running_server import fresh_folder
from .server_contestant import ServerContestant
from .server_kind import ServerKind

SMALL, STALLED = "small.bin", "stalled.bin"
CLIENTS, STALLED_READERS = 8, 100
# Read at 20 MB/s this lasts far longer than a slice, so no file is read a second time while it is in the page cache.
COLD_BYTES, STALLED_BYTES, UPLOAD_BYTES = 256 * MIB, 64 * MIB, 64 * MIB
PROBE = f"get:path=/{SMALL},size={KIB},clients=16,pace=1000/s"
LOADS = (
    f"put:clients={CLIENTS},size={UPLOAD_BYTES},rate=20MB/s,names=2,verify=no",
    # "@ROOT@" becomes the folder whose files are dropped from the page cache.
    f"get:path=/cold-{{client}}.bin,size={COLD_BYTES},clients={CLIENTS},rate=20MB/s,cold=@ROOT@",
    f"slow-read:path=/{STALLED},clients={STALLED_READERS},rate=0",
)
# Until all have connected and the uploads have begun to be written.
SETTLE_SECONDS = 1.0


class MixedContestant(ServerContestant):
    """Each slice asks for the small file first alone, then beside the loads. The figures are of the second part, but for
    `quiet_p99_us`."""

    def __init__(self, bench: Bench, name: str, kind: ServerKind, is_peer: bool) -> None:
        super().__init__(bench, name, kind, is_peer)
        self.root = bench.folder / "mixed" / name

    def prepare(self) -> None:
        if not self.kind.keeps_alive:
            raise CannotMeasure("closes the connection after each answer")
        if not self.kind.takes_put:
            raise CannotMeasure("takes no PUT")
        fresh_folder(self.root)
        # Servers take turns, so that they can share what they serve; each has a folder of its own for what it is sent.
        for name, size in self._served().items():
            (self.root / name).hardlink_to(self.bench.client.content(self.bench.folder / "mixed" / "data" / name, size))
        os.sync()
        self.start(self.root)
        self._load(PROBE, f"put:size={MIB},count=1", seconds=0.3)
        self._clear()
        self.is_warm()

    def measure(self) -> dict[str, float]:
        self._clear()
        os.sync()
        quiet = self._load(PROBE, seconds=self.bench.slice_seconds)["loads"][0]
        loads = [load.replace("@ROOT@", str(self.root)) for load in LOADS]
        tree = self.server.tree
        with self.bench.client.background(self.server.port, loads) as background:
            time.sleep(SETTLE_SECONDS)
            begin, cpu, read = time.monotonic(), tree.cpu_seconds(), tree.read_bytes()
            probe = self._load(PROBE, seconds=self.bench.slice_seconds)["loads"][0]
            seconds = time.monotonic() - begin
            cpu, read = tree.cpu_seconds() - cpu, tree.read_bytes() - read
        uploads, downloads, stalled = background.result["loads"]
        if stalled["open_at_end"] != STALLED_READERS:
            raise CannotMeasure(f"held {stalled['open_at_end']} of {STALLED_READERS} stalled readers")
        latency, quiet_latency = probe["latency_us"], quiet["latency_us"]
        return {
            "p99_us": latency["p99"],
            "p50_us": latency["p50"],
            "max_us": latency["max"],
            "quiet_p99_us": quiet_latency["p99"],
            "p99_ratio": latency["p99"] / quiet_latency["p99"],
            "requests_s": probe["requests_per_second"],
            "upload_mib_s": uploads["bytes_per_second"] / MIB,
            "cold_mib_s": downloads["bytes_per_second"] / MIB,
            "disk_mib_s": read / MIB / seconds,
            "server_busy": 100 * cpu / seconds,
        }

    def close(self) -> None:
        super().close()
        if self.root.exists():
            self._clear()

    def _load(self, *loads: str, seconds: float) -> dict:
        return self.bench.client.urgent(self.server.port, loads, seconds)

    def _served(self) -> dict[str, int]:
        return {SMALL: KIB, STALLED: STALLED_BYTES, **{f"cold-{client}.bin": COLD_BYTES for client in range(CLIENTS)}}

    def _clear(self) -> None:
        for path in self._uploads():
            path.unlink()

    def _uploads(self) -> list[Path]:
        return [path for path in self.root.iterdir() if path.name.startswith("load-")]
