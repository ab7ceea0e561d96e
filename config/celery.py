"""The Celery application: workers do what the database says is due, beat wakes them."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging

from config.broker import PatientAMQP
from config.queues import QUEUES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

app = Celery("evenmatch", amqp=PatientAMQP)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Keep Celery from replacing the logging that the settings configured."""


@beat_init.connect
def announce_beat(sender: Any, **_: object) -> None:
    """Send the first heartbeats at once: whoever waits for beat need not wait for its schedule."""
    for queue in QUEUES:
        sender.app.send_task("config.heartbeat", args=[queue], queue=queue, expires=10)
