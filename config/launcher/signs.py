"""Signs of life of worker and beat, read through the broker and the cache."""

import os
import socket
from dataclasses import dataclass

import redis
from celery import Celery
from kombu.exceptions import OperationalError

from config.embedded.addresses import broker_url
from config.queues import QUEUES, sign_of_life


@dataclass(frozen=True)
class Signs:
    """What can be seen of the processes behind one Valkey."""

    redis_url: str

    def node(self, queue: str) -> str:
        """The worker's name: only ours answers our ping, other machines' may share the broker."""
        return f"evenmatch-{queue}-{os.getpid()}@{socket.gethostname()}"

    def worker_answers(self, queue: str) -> bool:
        """Whether our worker of the queue answers a ping."""
        app = Celery(broker=broker_url(self.redis_url), set_as_current=False)
        try:
            return bool(app.control.ping(destination=[self.node(queue)], timeout=1.0))
        except (OperationalError, redis.RedisError, OSError):
            return False
        finally:
            app.close()

    def forget_beat(self) -> None:
        """Remove what an earlier beat left, so that the next sign is the new one's."""
        with redis.Redis.from_url(self.redis_url) as client:
            client.delete(*map(_heartbeat, QUEUES))

    def beat_answers(self) -> bool:
        """Whether tasks that beat sent have been carried out since, one in each queue."""
        try:
            with redis.Redis.from_url(self.redis_url) as client:
                return int(client.exists(*map(_heartbeat, QUEUES))) == len(QUEUES)
        except redis.RedisError:
            return False


def _heartbeat(queue: str) -> str:
    """The sign of life as Django's cache names it in Valkey."""
    return f"evenmatch:1:{sign_of_life(queue)}"
