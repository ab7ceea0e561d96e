"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    """See the package's docstring."""

    name = "people"
    verbose_name = _("People")

    def ready(self) -> None:
        """Follow merges of players, and declare what players are told."""
        from notifications.tell import tie_with
        from notifications.words import hide_names_with
        from people import blocks, merging, ties, told
        from ratings.merging import merge

        merge.follow_with(merging.follow_merge)
        hide_names_with(blocks.hidden_among)
        tie_with(known=ties.IS_KNOWN, blocked=ties.IS_BLOCKED)
        told.declare()
