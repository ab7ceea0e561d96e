"""The connection of workers and beat to the broker: it comes back soon after the broker does."""

from typing import Any

from celery.app.amqp import AMQP
from kombu import Connection

__all__ = ["PatientAMQP"]


class PatientConnection(Connection):
    """Tries again every second. Kombu waits 2 s longer each time, up to 30 s, and players wait with it."""

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        """Connect, or try until it works or the retries are used up."""
        options |= {"interval_start": 1, "interval_step": 0, "interval_max": 1}
        return super().ensure_connection(*args, **options)


class PatientAMQP(AMQP):
    """Celery's, with connections that are patient."""

    Connection = PatientConnection
