"""The connection of workers and beat to the broker: it comes back soon after the broker does, and queues stay short."""

from typing import Any

from celery.app.amqp import AMQP
from kombu import Connection
from kombu.transport import redis

from config.queues import QUEUES

__all__ = ["LONGEST_QUEUE", "PatientAMQP"]

# Wake-ups that wait in a queue. Without workers, beat would fill Valkey's memory with them; all but the newest have
# expired long before.
LONGEST_QUEUE = 1000


class ShortChannel(redis.Channel):  # type: ignore[misc]
    """Lets the oldest wake-ups go where nobody takes them."""

    bounded = frozenset(QUEUES)

    def _put(self, queue: str, message: Any, **options: Any) -> None:
        super()._put(queue, message, **options)
        if queue in self.bounded:
            with self.conn_or_acquire() as client:
                key = self._q_for_pri(queue, self._get_message_priority(message, reverse=False))
                client.ltrim(key, 0, LONGEST_QUEUE - 1)  # the newest are at the left


class ShortTransport(redis.Transport):  # type: ignore[misc]
    """Kombu's, with short queues."""

    Channel = ShortChannel


class PatientConnection(Connection):
    """Tries again every second. Kombu waits 2 s longer each time, up to 30 s, and players wait with it."""

    def get_transport_cls(self) -> type[Any]:
        """The transport of Redis with short queues, any other as it is."""
        kind: type[Any] = super().get_transport_cls()
        return ShortTransport if kind is redis.Transport else kind

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        """Connect, or try until it works or the retries are used up."""
        options |= {"interval_start": 1, "interval_step": 0, "interval_max": 1}
        return super().ensure_connection(*args, **options)


class PatientAMQP(AMQP):
    """Celery's, with connections that are patient."""

    Connection = PatientConnection
