"""PostgreSQL that falls silent without going away: behind a proxy that passes nothing on, or stopped by a signal."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from django.db import connection


class Proxy:
    """Passes bytes between a port and the PostgreSQL of the tests, or takes them and keeps them."""

    def __init__(self) -> None:
        self.flows = threading.Event()
        self.flows.set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._open: list[socket.socket] = []
        self._forsaken: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self) -> str:
        """Of the database of the test, through here."""
        there = urlsplit(os.environ["DATABASE_URL"])
        secret = f"{there.username}:{there.password}" if there.password else f"{there.username}"
        port = self._listener.getsockname()[1]
        return f"postgresql://{secret}@127.0.0.1:{port}/{connection.settings_dict['NAME']}"

    @contextmanager
    def forsaking(self) -> Iterator[None]:
        """Take what comes through all that is open now, and pass none of it on; it ends with the block."""
        lost = set(self._open)
        self._forsaken |= lost
        try:
            yield
        finally:
            for one in lost:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End all that goes through."""
        self.flows.set()
        for one in [self._listener, *self._open]:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = _connect_to_postgres()
                self._open += [client, server]
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._pump, args=pair, daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while more := source.recv(65536):
                self.flows.wait()
                if source not in self._forsaken:
                    target.sendall(more)
        self.flows.wait()
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)


def _connect_to_postgres() -> socket.socket:
    given = connection.settings_dict
    host, port = str(given["HOST"]), int(given["PORT"] or 5432)
    if not host.startswith("/"):
        return socket.create_connection((host, port))
    server = socket.socket(socket.AF_UNIX)
    server.connect(f"{host}/.s.PGSQL.{port}")
    return server


@contextmanager
def proxied() -> Iterator[Proxy]:
    """A proxy that ends with the block."""
    proxy = Proxy()
    try:
        yield proxy
    finally:
        proxy.close()


@contextmanager
def silent(proxy: Proxy) -> Iterator[None]:
    """Nothing gets through for as long as the block lasts."""
    proxy.flows.clear()
    try:
        yield
    finally:
        proxy.flows.set()


@contextmanager
def stopped(application: str) -> Iterator[list[int]]:
    """Stop the sessions that an application has with PostgreSQL; they go on after the block."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = %s", [application]
        )
        pids = [pid for (pid,) in cursor]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield pids
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
