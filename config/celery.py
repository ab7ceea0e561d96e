"""The Celery application: workers do what the database says is due, beat wakes them."""

import os

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

app = Celery("evenmatch")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Keep Celery from replacing the logging that the settings configured."""
