"""The figures that a scenario may report."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    key: str
    title: str
    digits: int
    less_is_better: bool = True


FIGURES = {
    figure.key: figure
    for figure in [
        Figure("cpu_us", "CPU µs/request", 2),
        Figure("cpu_ms_gib", "CPU ms/GiB", 1),
        Figure("requests_s", "requests/s", 0, less_is_better=False),
        Figure("mib_s", "MiB/s", 0, less_is_better=False),
        Figure("fsync_ms", "fsync ms", 0),
        Figure("p50_us", "p50 µs", 0),
        Figure("p99_us", "p99 µs", 0),
        Figure("max_us", "longest µs", 0),
        Figure("quiet_p99_us", "quiet p99 µs", 0),
        Figure("p99_ratio", "p99 of quiet's", 2),
        Figure("upload_mib_s", "up MiB/s", 0, less_is_better=False),
        Figure("cold_mib_s", "down MiB/s", 0, less_is_better=False),
        Figure("disk_mib_s", "from disk MiB/s", 0, less_is_better=False),
        Figure("kib_connection", "KiB/connection", 2),
        Figure("connections", "connections", 0, less_is_better=False),
        Figure("start_ms", "ms to first answer", 1),
        Figure("first_cpu_s", "CPU s, first", 2),
        Figure("first_ms", "ms, first", 0),
        Figure("again_cpu_s", "CPU s, again", 2),
        Figure("again_ms", "ms, again", 1),
        Figure("page_ms", "ms, page of 200", 1),
        Figure("page_cpu_ms", "CPU ms, page of 200", 2),
        Figure("quiet_p99_us", "p99 µs of 1 KiB", 0),
        Figure("beside_p99_us", "p99 µs, first list beside", 0),
        Figure("growth_mib", "growth MiB", 1),
        Figure("peak_mib", "peak MiB", 1),
        Figure("server_busy", "server busy %", 0, less_is_better=False),
        Figure("client_busy", "client busy %", 0),
        Figure("others_busy", "others busy %", 0),
    ]
}
