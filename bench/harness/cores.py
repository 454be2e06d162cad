"""Which core the server has, and which the load."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Cores:
    server: int
    client: int

    @classmethod
    def pick(cls) -> "Cores":
        """The first two cores that this process may use.

        Raises:
            SystemExit: when there is only one: server and load would then take time from each other.
        """
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) < 2:
            raise SystemExit("bench/run needs two cores, one for the server and one for the load")
        return cls(server=allowed[0], client=allowed[1])
