"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GroupsConfig(AppConfig):
    """See the package's docstring."""

    name = "groups"
    verbose_name = _("Groups")

    def ready(self) -> None:
        """Follow merges of players, and declare what players are told."""
        from groups import merging, told
        from ratings.merging import merge

        told.declare()
        merge.follow_with(merging.follow_merge)
