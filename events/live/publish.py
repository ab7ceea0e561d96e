"""Telling: one journey to Valkey a call, after commit, and never an error for its sake."""

import time
from collections.abc import Iterable, Sequence
from functools import cache

import structlog
from django.conf import settings
from redis.exceptions import RedisError

from events.live.connecting import client_of
from events.live.keeping import keep
from events.live.messages import ENDED, EVERYBODY, Message
from foundation.hooks import after_commit

__all__ = ["tell", "tell_all", "tell_ended"]

log = structlog.get_logger(__name__)

QUIET = 2.0  # seconds in which nothing is tried after a failure


def tell(topics: Iterable[str], kind: str, **ids: int) -> None:
    """Tell whoever listens to any of the topics, once the current transaction has committed, and keep it (`keeping`).

    One message whatever the number of topics: give those of all players concerned in one call. While Valkey is away
    nothing is told and nothing raised.
    """
    tell_all([Message(tuple(dict.fromkeys(topics)), kind, ids)])


def tell_all(messages: Iterable[Message]) -> None:
    """Tell many messages: one statement, and one journey to Valkey."""
    if kept := keep([message for message in messages if message.topics]):
        _send_later(kept)


def tell_ended(rights: Iterable[str]) -> None:
    """Tell that these rights are over, once the current transaction has committed: streams that hang on them end."""
    if topics := tuple(dict.fromkeys(rights)):
        _send_later([Message(topics, ENDED, {})])


def _send_later(messages: Sequence[Message]) -> None:
    packed = [message.packed() for message in messages]
    after_commit(_send, packed)


def _send(messages: Sequence[str]) -> None:
    _publisher(settings.REDIS_URL).publish(messages)


class Publisher:
    """Publishes to one Valkey, and holds back for a moment when that fails."""

    def __init__(self, url: str) -> None:
        self._client = client_of(url)
        self._quiet_until = 0.0
        self._missed = False

    def publish(self, messages: Sequence[str]) -> None:
        """Send them; after messages that could not be sent, tell everybody to look again first."""
        if time.monotonic() < self._quiet_until:
            self._missed = True
            return
        try:
            if self._missed:
                resync = Message((EVERYBODY,), "resync", {})
                self._client.publish(settings.LIVE_CHANNEL, resync.packed())
                self._missed = False
            with self._client.pipeline(transaction=False) as pipeline:
                for message in messages:
                    pipeline.publish(settings.LIVE_CHANNEL, message)
                pipeline.execute()
        except RedisError as error:
            self._missed = True
            self._quiet_until = time.monotonic() + QUIET
            log.warning("live.not_told", error=str(error))


@cache
def _publisher(url: str) -> Publisher:
    """One for each server a process has been told of."""
    return Publisher(url)
