"""Telling: one PUBLISH a call, after commit, and never an error."""

import time
from collections.abc import Iterable
from functools import cache, partial

import structlog
from django.conf import settings
from django.db import transaction
from redis.exceptions import RedisError

from events.live.connecting import client_of
from events.live.messages import ENDED, EVERYBODY, Message

__all__ = ["tell", "tell_ended"]

log = structlog.get_logger(__name__)

QUIET = 2.0  # seconds in which nothing is tried after a failure


def tell(topics: Iterable[str], kind: str, **ids: int) -> None:
    """Tell the pages that listen to any of the topics, once the current transaction has committed.

    One message whatever the number of topics: give those of all players concerned in one call. While Valkey is away
    nothing is told and nothing raised.
    """
    message = Message(tuple(dict.fromkeys(topics)), kind, ids)
    if message.topics:
        transaction.on_commit(partial(_send, message.packed()), robust=True)


def tell_ended(rights: Iterable[str]) -> None:
    """Tell that these rights are over, once the current transaction has committed: streams that hang on them end."""
    tell(rights, ENDED)


def _send(message: str) -> None:
    _publisher(settings.REDIS_URL).publish(message)


class Publisher:
    """Publishes to one Valkey, and holds back for a moment when that fails."""

    def __init__(self, url: str) -> None:
        self._client = client_of(url)
        self._quiet_until = 0.0
        self._missed = False

    def publish(self, message: str) -> None:
        """Send it; after messages that could not be sent, tell everybody to look again first."""
        if time.monotonic() < self._quiet_until:
            self._missed = True
            return
        try:
            if self._missed:
                resync = Message((EVERYBODY,), "resync", {})
                self._client.publish(settings.LIVE_CHANNEL, resync.packed())
                self._missed = False
            self._client.publish(settings.LIVE_CHANNEL, message)
        except RedisError as error:
            self._missed = True
            self._quiet_until = time.monotonic() + QUIET
            log.warning("live.not_told", error=str(error))


@cache
def _publisher(url: str) -> Publisher:
    """One for each server a process has been told of."""
    return Publisher(url)
