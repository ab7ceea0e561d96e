"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchmakingConfig(AppConfig):
    """See the package's docstring."""

    name = "matchmaking"
    verbose_name = _("Matchmaking")

    def ready(self) -> None:
        """Let its system checks be known, and what of its queues does not suit a rating track."""
        from events import outbox
        from matchmaking import archived, avoid_list, people_hooks, running, suspensions
        from matchmaking.alerts import told as of_alerts
        from matchmaking.conduct import leaving, merges
        from matchmaking.conduct import told as of_conduct
        from matchmaking.feedback import give
        from matchmaking.offers import told as of_offers
        from matchmaking.queues import own_conditions, rescale  # noqa: F401
        from matchmaking.rounds import told as of_rounds
        from notifications.words import hide_names_with
        from people import avoided, presence
        from ratings import archiving, sanctions
        from ratings.merging import merge
        from ratings.merging.running import running_with
        from ratings.players import own_matters
        from ratings.tracks import parameters

        for told in (of_alerts, of_conduct, of_offers, of_rounds):
            told.declare()
        hide_names_with(avoid_list.avoided_among)
        outbox.subscribe("conduct", kinds=leaving.KINDS, handler=leaving.follow)
        merge.follow_with(merges.follow_merge)
        parameters.warn_with(rescale.warnings_of)
        sanctions.follow_with(suspensions.follow)
        own_matters.meet_with(suspensions.offered_with)
        archiving.follow_with(archived.follow)
        merge.follow_with(avoid_list.follow_merge)
        merge.follow_with(give.follow_merge)
        presence.find_with(people_hooks.at_play)
        avoided.show_with(people_hooks.avoided_players)
        running_with(running.find, running.end)
