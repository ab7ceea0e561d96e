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
        from events.kinds import Kind
        from events.live import register_right
        from leaderboards.boards import hidden, refresh
        from leaderboards.views import stream_rights
        from ratings import sanctions
        from ratings.merging import merge
        from ratings.players import accounts
        from ratings.runs import replay

        kinds = [Kind.RATINGS_CHANGED, Kind.PERIOD_CLOSED, Kind.TRACK_REPLACED, Kind.TRACK_SHOWN]
        outbox.subscribe("leaderboards", kinds=kinds, handler=refresh.follow)
        replay.prepare_with(refresh.prepare)
        sanctions.follow_with(hidden.follow)
        merge.follow_with(hidden.follow_merge)
        accounts.tell_with(stream_rights.begin_anew)
        register_right("session", stream_rights.good_sessions)
        register_right("account", stream_rights.good_accounts)
