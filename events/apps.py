"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    """See the package's docstring."""

    name = "events"
    verbose_name = _("Events")
