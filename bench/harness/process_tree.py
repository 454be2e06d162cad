"""The processes of one server, as /proc shows them."""

import os
from pathlib import Path

from . import proc_files

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


class ProcessTree:
    """A process and all its descendants. Processes that end while they are read are left out."""

    def __init__(self, root: int) -> None:
        self.root = root

    def cpu_seconds(self) -> float:
        """User and system time so far, to one clock tick (10 ms) a process."""
        return sum(proc_files.cpu_ticks(text) for text in self._read("stat")) / TICKS_A_SECOND

    def resident_kib(self) -> int:
        """Memory in use now. What several processes share counts once, by Pss where the kernel tells it."""
        shares = [proc_files.kibibytes(text, "Pss") for text in self._read("smaps_rollup")]
        if any(shares):
            return sum(shares)
        return sum(proc_files.kibibytes(text, "VmRSS") for text in self._read("status"))

    def peak_kib(self) -> int:
        """The most memory that was ever in use, summed over the processes; what they share counts in each."""
        return sum(proc_files.kibibytes(text, "VmHWM") for text in self._read("status"))

    def read_bytes(self) -> int:
        """What was read from disks so far, by /proc/PID/io: not what the page cache had. 0 where it may not be read."""
        return sum(proc_files.number(text, "read_bytes") for text in self._read("io"))

    def _read(self, name: str) -> list[str]:
        texts = []
        for process in self.processes():
            try:
                texts.append(Path(f"/proc/{process}/{name}").read_text())
            except OSError:
                continue
        return texts

    def processes(self) -> list[int]:
        """Their numbers; none when it has ended."""
        parents = {}
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                parents[int(entry)] = proc_files.parent(Path(f"/proc/{entry}/stat").read_text())
            except OSError:
                continue
        return proc_files.descendants(self.root, parents) if self.root in parents else []
