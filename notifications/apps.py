"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    """See the package's docstring."""

    name = "notifications"
    verbose_name = _("Notifications")

    def ready(self) -> None:
        """Remember in which language an account reads, and end push where it signs out."""
        from django.contrib.auth.signals import user_logged_in

        from notifications.pages import browsers  # noqa: F401
        from notifications.preferences import signed_in

        user_logged_in.connect(signed_in, dispatch_uid="notifications.signed_in")
