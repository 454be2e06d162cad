"""A server with many connections that ask for nothing."""

import http.client
import socket
import time

from .bench import Bench
from .cannot_measure import CannotMeasure
from .contestant import Contestant
from .data_files import KIB
from .server_kind import ServerKind

SETTLE_SECONDS = 1.0
PATIENCE_SECONDS = 3.0


class IdleContestant(Contestant):
    """Each connection has had one answer, as keep-alive connections have. A new server each slice: memory is not given back.

    Kernel memory of the sockets is not in it; it is the same for every server.
    """

    def __init__(self, bench: Bench, name: str, kind: ServerKind, is_peer: bool, count: int) -> None:
        super().__init__(name, is_peer)
        self.bench = bench
        self.kind = kind
        self.count = count
        self._sockets: list[socket.socket] = []

    def prepare(self) -> None:
        if not self.kind.keeps_alive:
            raise CannotMeasure("closes the connection after each answer")
        self.measure()

    def measure(self) -> dict[str, float]:
        file = self.bench.data.file(KIB)
        with self.bench.start(self.kind, file.parent) as server:
            path = f"/{file.name}"
            server.wait_until_it_answers(path)
            # What the first requests load once and for all is not counted as a connection's.
            warm = self.bench.client.fetch(server.port, path, 8, 0.2, [])
            if warm.errors:
                raise CannotMeasure("requests failed")
            before = server.tree.resident_kib()
            try:
                while len(self._sockets) < self.count and self._open(server.port, path):
                    pass
                time.sleep(SETTLE_SECONDS)
                opened = sum(is_open(connection) for connection in self._sockets)
                if not opened:
                    raise CannotMeasure("took no connection")
                return {
                    "kib_connection": (server.tree.resident_kib() - before) / opened,
                    "connections": opened,
                    "peak_mib": server.tree.peak_kib() / 1024,
                }
            finally:
                for connection in self._sockets:
                    connection.close()
                self._sockets = []

    def _open(self, port: int, path: str) -> bool:
        """False when the server takes no more."""
        connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
        try:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            response = http.client.HTTPResponse(connection)
            response.begin()
            response.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            return False
        if response.will_close:
            connection.close()
            return False
        self._sockets.append(connection)
        return True


def is_open(connection: socket.socket) -> bool:
    """Whether the server has not closed it meanwhile, as some do with idle ones to make room."""
    connection.setblocking(False)  # with a timeout, recv would wait for it
    try:
        return connection.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
