"""The app's name and place."""

from contextlib import suppress
from typing import Any

from django.apps import AppConfig
from django.db import ProgrammingError, transaction
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    """See the package's docstring."""

    name = "events"
    verbose_name = _("Events")

    def ready(self) -> None:
        """Look at the start of a site whether its tables were restored into another cluster."""
        post_migrate.connect(_renumber, sender=self, dispatch_uid="events.renumber")


def _renumber(**_: Any) -> None:
    from events.renumber import renumber

    with (
        suppress(ProgrammingError),
        transaction.atomic(),
    ):  # tables of an earlier release, gone back to
        renumber()
