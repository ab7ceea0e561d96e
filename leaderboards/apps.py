"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeaderboardsConfig(AppConfig):
    """See the package's docstring."""

    name = "leaderboards"
    verbose_name = _("Leaderboards")
