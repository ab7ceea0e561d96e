"""Gunicorn on the database of the test, and browsers that listen to its streams."""

import contextlib
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import redis
from django.conf import settings
from django.db import connection

from config.embedded.paths import PROJECT
from config.embedded.processes import wait_until
from tests.house.site import free_port

KEEPALIVE = 1.0
# One for all clients: to load the certificates of the system anew takes each 40 ms of processor.
_NO_TLS = ssl.create_default_context()


def plain_client() -> httpx.Client:
    """A client with a connection of its own, for a server without TLS."""
    return httpx.Client(trust_env=False, timeout=60, verify=_NO_TLS)


@dataclass
class Web:
    """A running gunicorn."""

    port: int
    folder: Path
    process: subprocess.Popen[bytes]

    def get(self, path: str) -> httpx.Response:
        """One request on a connection of its own."""
        with plain_client() as client:
            return client.get(f"http://127.0.0.1:{self.port}{path}")

    def open_streams(self) -> int:
        """What the metrics say; -1 while nobody answers or says."""
        token = {"Authorization": f"Bearer {settings.METRICS_TOKEN}"}
        try:
            with plain_client() as client:
                text = client.get(f"http://127.0.0.1:{self.port}/metrics", headers=token).text
        except httpx.TransportError:
            return -1
        found = re.search(r"^evenmatch_open_streams (\d+)", text, re.MULTILINE)
        return int(found[1]) if found else -1

    def touch(self) -> None:
        """Ask for the stream that does what none may; its answer breaks off."""
        with contextlib.suppress(httpx.TransportError):
            self.get("/touch")

    def subscriptions(self) -> int:
        """How many processes listen to Valkey."""
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            [(_, number)] = client.pubsub_numsub(settings.LIVE_CHANNEL)
        return int(number)

    def touched(self) -> list[str]:
        """What streams did to the database, as the guard noted it."""
        notes = self.folder / "touched"
        return notes.read_text().splitlines() if notes.exists() else []

    def log(self) -> str:
        """What gunicorn wrote."""
        return (self.folder / "web.log").read_text()


class Listener:
    """A browser that listens to a stream."""

    def __init__(
        self, web: Web, query: str, *, cookie: str = "", secret: str = "", source: str = "127.0.0.1"
    ) -> None:
        self.heard = b""
        there = ("127.0.0.1", web.port)
        self._socket = socket.create_connection(there, timeout=60, source_address=(source, 0))
        path = "/api/v1/stream" if secret else f"/live/?{query}"
        lines = [f"GET {path} HTTP/1.1", "Host: localhost"]
        if secret:
            lines.append(f"Authorization: Bearer {secret}")
        if cookie:
            lines.append(f"Cookie: sessionid={cookie}")
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())

    def hears(self, wanted: bytes) -> bool:
        """Read until this has come; False when the stream ends without it, or a minute has passed."""
        end = time.monotonic() + 60
        while wanted not in self.heard and time.monotonic() < end:
            more = self._socket.recv(65536)
            if not more:
                return False
            self.heard += more
        return wanted in self.heard

    def ends(self) -> bool:
        """Read to the end of the stream; False when it has none."""
        try:
            return not self.hears(b"what nobody says") and not self._socket.recv(1)
        except ConnectionResetError:
            return True

    def close(self) -> None:
        """Go away without a word."""
        self._socket.close()


@contextmanager
def running(folder: Path, **environ: str) -> Iterator[Web]:
    """Gunicorn as `bin/run` starts it, with the settings of the tests; ended with the block."""
    (folder / "metrics").mkdir()
    port = free_port()
    database = urlsplit(os.environ["DATABASE_URL"])
    own = {
        "DATABASE_URL": database._replace(path=f"/{connection.settings_dict['NAME']}").geturl(),
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "EVENMATCH_DATA_DIR": str(folder),
        "EVENMATCH_PORT": str(port),
        "EVENMATCH_STREAM_KEEPALIVE": str(KEEPALIVE),
        "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"),
        "TOUCHED": str(folder / "touched"),
    }
    config = str(PROJECT / "config" / "gunicorn.py")
    command = ["-m", "gunicorn", "--config", config, "tests.config.guarded:application"]
    with (folder / "web.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=PROJECT,
            env={**os.environ, **own, **environ},
            stdout=log,
            stderr=log,
        )
    web = Web(port, folder, process)
    try:
        assert wait_until(lambda: _answers(web), seconds=60, every=0.2), web.log()
        yield web
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def _answers(web: Web) -> bool:
    try:
        return web.get("/health/live").status_code == 200
    except httpx.TransportError:
        return False
