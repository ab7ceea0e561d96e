"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RoomsConfig(AppConfig):
    """See the package's docstring."""

    name = "rooms"
    verbose_name = _("Rooms")
