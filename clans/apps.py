"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ClansConfig(AppConfig):
    """See the package's docstring."""

    name = "clans"
    verbose_name = _("Clans")

    def ready(self) -> None:
        """Follow merges and suspensions of players, and declare what players are told."""
        from clans import membership, merging, told
        from ratings import sanctions
        from ratings.merging import merge

        told.declare()
        merge.follow_with(merging.follow_merge)
        sanctions.follow_with(membership.follow_sanction)
