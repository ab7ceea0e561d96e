"""Heartbeats of worker and beat, read through the broker and the cache."""

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass

import redis
from celery import Celery
from kombu.exceptions import OperationalError
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.embedded.paths import broker_url
from config.workers.task_queues import ALIVE_SECONDS, QUEUES, sign_of_life


@dataclass(frozen=True)
class Heartbeats:
    """What can be seen of the processes behind one Valkey."""

    redis_url: str

    def node(self, queue: str, number: int) -> str:
        """The worker's name: only ours answers our ping, other machines' may share the broker."""
        return f"evenmatch-{queue}-{number}-{os.getpid()}@{socket.gethostname()}"

    def worker_answers(self, node: str) -> bool:
        """Whether our worker of this name answers a ping."""
        app = Celery(broker=broker_url(self.redis_url), set_as_current=False)
        try:
            return bool(app.control.ping(destination=[node], timeout=1.0))
        except (OperationalError, redis.RedisError, OSError):
            return False
        finally:
            app.close()

    def worker_is_busy(self, node: str, at_once: int) -> bool:
        """Whether our worker says that it is at as many tasks as it can do at once."""
        app = Celery(broker=broker_url(self.redis_url), set_as_current=False)
        app.conf.broker_transport_options = {"socket_timeout": 1.0, "max_retries": 0}
        try:
            active = app.control.inspect(destination=[node], timeout=1.0).active() or {}
        except (OperationalError, redis.RedisError, OSError):
            return False
        finally:
            app.close()
        return len(active.get(node, ())) >= at_once

    def ages(self, names: Sequence[str]) -> dict[str, float] | None:
        """Seconds since the last sign of each, ALIVE_SECONDS for none; None while Valkey is away, or full."""
        at_once = Retry(NoBackoff(), 0)
        try:
            with redis.Redis.from_url(
                self.redis_url, socket_timeout=1, socket_connect_timeout=1, retry=at_once
            ) as client:
                client.set(_key("watchdog"), 1, px=1000)
                left = [client.pttl(_key(name)) for name in names]
        except redis.RedisError:
            return None
        return {
            name: ALIVE_SECONDS - max(0, int(milliseconds)) / 1000
            for name, milliseconds in zip(names, left, strict=True)
        }

    def forget_beat(self) -> None:
        """Remove what an earlier beat left, so that the next sign is the new one's."""
        with redis.Redis.from_url(self.redis_url) as client:
            client.delete(*map(_key, QUEUES))

    def beat_answers(self) -> bool:
        """Whether tasks that beat sent have been carried out since, one in each queue."""
        try:
            with redis.Redis.from_url(self.redis_url) as client:
                return int(client.exists(*map(_key, QUEUES))) == len(QUEUES)
        except redis.RedisError:
            return False


def _key(name: str) -> str:
    """The sign of life as Django's cache names it in Valkey."""
    return f"evenmatch:1:{sign_of_life(name)}"
