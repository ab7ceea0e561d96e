"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    """See the package's docstring."""

    name = "notifications"
    verbose_name = _("Notifications")
