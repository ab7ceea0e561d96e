"""Broadcasting messages to streams: one request to Valkey a call, after commit, and never an error for its sake."""

from collections.abc import Iterable, Sequence
from functools import cache

import structlog
from django.conf import settings
from redis.exceptions import RedisError

from events.live.messages import ENDED, EVERYBODY, Message
from events.live.notices import keep
from events.live.valkey import valkey_client
from foundation.cooldown import Cooldown
from foundation.postgresql.transactions import after_commit

__all__ = ["broadcast", "broadcast_all", "broadcast_ended", "send_after_commit"]

log = structlog.get_logger(__name__)

COOLDOWN = 2.0  # seconds
_AT_ONCE = 500  # messages that go through Valkey together, a line each


def broadcast(topics: Iterable[str], kind: str, **ids: int) -> None:
    """Send a message to the streams of these topics once the current transaction has committed, and keep it.

    `kind` is one of `events.kinds.Kind`. One message whatever the number of topics: give those of all players
    concerned in one call. While Valkey is away nothing is sent and nothing raised.
    """
    broadcast_all([Message(tuple(dict.fromkeys(topics)), kind, ids)])


def broadcast_all(messages: Iterable[Message]) -> None:
    """Send many messages: one statement, and one request to Valkey."""
    if packed := keep([message for message in messages if message.topics]):
        send_after_commit(packed)


def send_after_commit(packed: Sequence[str]) -> None:
    """Send messages that are kept already, once the current transaction has committed."""
    after_commit(_broadcaster(settings.REDIS_URL).send, packed)


def broadcast_ended(rights: Iterable[str]) -> None:
    """End the streams that depend on one of these rights, once the current transaction has committed."""
    if topics := tuple(dict.fromkeys(rights)):
        send_after_commit([Message(topics, ENDED, {}).packed()])


class Broadcaster:
    """Sends to one Valkey, and tries nothing for a moment after that failed."""

    def __init__(self, url: str) -> None:
        self._client = valkey_client(url)
        self._cooldown = Cooldown(COOLDOWN)
        self._missed = False

    def send(self, messages: Sequence[str]) -> None:
        """Send them; after messages that could not be sent, first a request to all streams to look again."""
        if self._cooldown.is_on:
            self._missed = True
            return
        try:
            if self._missed:
                resync = Message((EVERYBODY,), "resync", {})
                self._client.publish(settings.LIVE_CHANNEL, resync.packed())
                self._missed = False
            with self._client.pipeline(transaction=False) as pipeline:
                for start in range(0, len(messages), _AT_ONCE):
                    lines = "\n".join(messages[start : start + _AT_ONCE])
                    pipeline.publish(settings.LIVE_CHANNEL, lines)
                pipeline.execute()
        except RedisError as error:
            self._missed = True
            self._cooldown.begin()
            log.warning("live.not_told", error=str(error))


@cache
def _broadcaster(url: str) -> Broadcaster:
    """One for each server that a process knows of."""
    return Broadcaster(url)
