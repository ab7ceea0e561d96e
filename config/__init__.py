"""The project: settings, addresses, start-up."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
