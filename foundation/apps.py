"""The ground floor: clock, locks, connections, bulk copying, and whether time is steady."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FoundationConfig(AppConfig):
    """The ground floor as an app, for its template filters and heartbeats."""

    name = "foundation"
    verbose_name = _("Clock")  # heartbeats and pauses, for the admin

    def ready(self) -> None:
        """Leave no connection half open, and let routes have ids."""
        from foundation.postgresql.connections import close_abandoned_attempts
        from foundation.requests.ids import register_ids

        close_abandoned_attempts()
        register_ids()
