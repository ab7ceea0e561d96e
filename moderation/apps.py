"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ModerationConfig(AppConfig):
    """See the package's docstring."""

    name = "moderation"
    verbose_name = _("Moderation")
