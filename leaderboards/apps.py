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
        from leaderboards.boards import refresh
        from leaderboards.views import stream_rights
        from ratings.runs import finish_replay

        kinds = ["ratings.changed", "period.closed", "track.replaced", "track.shown"]
        outbox.subscribe("leaderboards", kinds=kinds, handler=refresh.follow)
        finish_replay.prepare_with(refresh.prepare)
        good_while("session", stream_rights.good_sessions)
        good_while("account", stream_rights.good_accounts)
