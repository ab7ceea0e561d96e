"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    """See the package's docstring."""

    name = "people"
    verbose_name = _("People")

    def ready(self) -> None:
        """Follow merges of players, and declare what players are told."""
        from notifications.kinds import Group, register, to
        from notifications.words import hide_names_with
        from people import blocks, merging
        from ratings.merging import merge

        merge.follow_with(merging.follow_merge)
        hide_names_with(blocks.hidden_among)
        register(
            "friend.asked",
            Group.PEOPLE,
            _("%(by)s asks to be friends."),
            leads_to=to("people"),
            players=("by",),
        )
        register(
            "friend.agreed",
            Group.PEOPLE,
            _("%(by)s has agreed: you are friends."),
            leads_to=to("people"),
            players=("by",),
        )
