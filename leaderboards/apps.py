"""The app's name and place, and what it listens to."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeaderboardsConfig(AppConfig):
    """See the package's docstring."""

    name = "leaderboards"
    verbose_name = _("Leaderboards")

    def ready(self) -> None:
        """Let boards follow the ratings."""
        from events import outbox
        from events.live import good_while
        from leaderboards import listening, standings
        from ratings import switching

        kinds = ["ratings.changed", "period.closed", "track.replaced", "track.shown"]
        outbox.subscribe("leaderboards", kinds=kinds, handler=standings.follow)
        switching.prepare_with(standings.prepare)
        good_while("session", listening.good_sessions)
        good_while("account", listening.good_accounts)
