"""Reads the text of files under /proc. Pure: text in, numbers out."""

from collections.abc import Mapping


def cpu_ticks(stat: str) -> int:
    """Processor time of /proc/PID/stat in clock ticks: user and system, its own and that of children it waited for."""
    # The second field is the command in parentheses and may hold spaces and parentheses itself; the rest begins behind the last.
    fields = stat[stat.rindex(")") + 2 :].split()
    return sum(int(field) for field in fields[11:15])


def busy_ticks(stat: str, core: int) -> int:
    """How long a core was not idle, by /proc/stat, in clock ticks: all but idle and iowait. Guests are counted in user."""
    for line in stat.splitlines():
        name, *fields = line.split()
        if name == f"cpu{core}":
            user, nice, system, _idle, _iowait, *rest = (int(field) for field in fields[:8])
            return user + nice + system + sum(rest)
    raise ValueError(f"/proc/stat has no cpu{core}")


def parent(stat: str) -> int:
    """The parent's id in /proc/PID/stat."""
    return int(stat[stat.rindex(")") + 2 :].split()[1])


def kibibytes(text: str, name: str) -> int:
    """The value of a line such as "VmHWM:   1024 kB" in /proc/PID/status or smaps_rollup; 0 when there is no such line."""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0])
    return 0


def number(text: str, name: str) -> int:
    """The value of a line such as "read_bytes: 4096" in /proc/PID/io; 0 when there is no such line."""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value)
    return 0


def descendants(root: int, parents: Mapping[int, int]) -> list[int]:
    """`root` and every process below it. `parents` gives each process its parent."""
    children: dict[int, list[int]] = {}
    for process, parent_ in parents.items():
        children.setdefault(parent_, []).append(process)
    found, waiting = [], [root]
    while waiting:
        process = waiting.pop()
        found.append(process)
        waiting.extend(children.get(process, []))
    return found
