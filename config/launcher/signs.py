"""Signs of life of worker and beat, read through the broker and the cache."""

import os
import socket
from dataclasses import dataclass

import redis
from celery import Celery
from kombu.exceptions import OperationalError

from config.embedded.addresses import broker_url

HEARTBEAT = "evenmatch:1:beat-heartbeat"  # Django's cache key of config.tasks.BEAT_KEY


@dataclass(frozen=True)
class Signs:
    """What can be seen of the processes behind one Valkey."""

    redis_url: str

    @property
    def node(self) -> str:
        """The worker's name: only ours answers our ping, other machines' may share the broker."""
        return f"evenmatch-{os.getpid()}@{socket.gethostname()}"

    def worker_answers(self) -> bool:
        """Whether our worker answers a ping."""
        app = Celery(broker=broker_url(self.redis_url), set_as_current=False)
        try:
            return bool(app.control.ping(destination=[self.node], timeout=1.0))
        except (OperationalError, redis.RedisError, OSError):
            return False
        finally:
            app.close()

    def forget_beat(self) -> None:
        """Remove what an earlier beat left, so that the next sign is the new one's."""
        with redis.Redis.from_url(self.redis_url) as client:
            client.delete(HEARTBEAT)

    def beat_answers(self) -> bool:
        """Whether a task that beat sent has been carried out since."""
        try:
            with redis.Redis.from_url(self.redis_url) as client:
                return bool(client.exists(HEARTBEAT))
        except redis.RedisError:
            return False
