"""The Celery application: workers do what the database says is due, beat wakes them."""

import os
from typing import Any

import structlog
from celery import Celery, Task
from celery.signals import beat_init, setup_logging

from config.broker import PatientAMQP
from config.queues import QUEUES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

log = structlog.get_logger(__name__)
HEARTBEAT = "config.heartbeat"


class RestingTask(Task[..., Any]):
    """A task that does nothing while the disk is nearly full: the next wake-up finds what is due all the same."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Do the work, unless there is no room for it. Heartbeats write to Valkey only."""
        from django.conf import settings  # not before the application is set up

        shortage = None if self.name == HEARTBEAT else settings.FREE_SPACE.shortage()
        if shortage:
            log.warning("task.no_room", task=self.name, folder=str(shortage.folder))
            return None
        return super().__call__(*args, **options)


app = Celery("evenmatch", amqp=PatientAMQP, task_cls=RestingTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Keep Celery from replacing the logging that the settings configured."""


@beat_init.connect
def announce_beat(sender: Any, **_: object) -> None:
    """Send the first heartbeats at once: whoever waits for beat need not wait for its schedule."""
    for queue in QUEUES:
        sender.app.send_task(HEARTBEAT, args=[queue], queue=queue, expires=10)
