"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChallengesConfig(AppConfig):
    """See the package's docstring."""

    name = "challenges"
    verbose_name = _("Challenges")

    def ready(self) -> None:
        """Declare what players are told, and follow what ends challenges."""
        from challenges import stranded, told
        from challenges.pages import bar
        from matchmaking.pages import after_match, further
        from ratings import archiving
        from ratings.merging import merge
        from ratings.merging.running import running_with

        told.declare()
        archiving.follow_with(stranded.follow_archiving)
        merge.follow_with(stranded.follow_merge)
        running_with(stranded.find_of, stranded.end_of)
        further.show_with(bar.SHOWN)
        after_match.act_after_with(bar.offer_rematch)
