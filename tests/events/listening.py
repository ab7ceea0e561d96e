"""Valkeys of a test's own, which may be killed and stopped, and what streams say."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis
from django.conf import settings

from config.embedded import paths
from config.embedded.processes import wait_until
from config.embedded.servers import prepare_folder
from config.embedded.valkey import Valkey


class OwnValkey:
    """A Valkey that a test may mistreat."""

    def __init__(self, folder: Path) -> None:
        prepare_folder(folder)
        self.server = Valkey(folder)
        self.url = paths.redis_url(folder)

    def signal(self, kind: signal.Signals) -> None:
        """Send its process a signal."""
        pid = self.server.pid()
        assert pid is not None
        os.kill(pid, kind)

    def kill(self) -> None:
        """End it without warning."""
        self.signal(signal.SIGKILL)
        assert wait_until(lambda: self.server.pid() is None, seconds=60)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let it hang: connections are taken, nothing is answered."""
        self.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)


def wait_for_subscriptions(number: int) -> None:
    """Wait until so many processes listen to the Valkey of the settings."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        assert wait_until(
            lambda: client.pubsub_numsub(settings.LIVE_CHANNEL)[0][1] == number, seconds=60
        )


class StreamParser:
    """Reads a stream event by event, without what only keeps it open."""

    def __init__(self, stream: Iterator[bytes]) -> None:
        self._stream = stream
        self._blocks: list[str] = []

    def block(self) -> str:
        """The next event; StopIteration at the end of the stream."""
        while not self._blocks:
            found = next(self._stream).decode().split("\n\n")
            idle = (":", "retry:", "event: tick")
            self._blocks = [block for block in found if block and not block.startswith(idle)]
        return self._blocks.pop(0)

    def message(self) -> dict[str, Any]:
        """The next message; calls to look again are passed over."""
        while not (block := self.block()).startswith("data: "):
            pass
        told: dict[str, Any] = json.loads(block.removeprefix("data: "))
        return told

    def is_told_to_look_again(self) -> bool:
        """Read on until that comes."""
        while not self.block().startswith("event: resync"):
            pass
        return True
