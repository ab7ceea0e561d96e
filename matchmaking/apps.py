"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchmakingConfig(AppConfig):
    """See the package's docstring."""

    name = "matchmaking"
    verbose_name = _("Matchmaking")

    def ready(self) -> None:
        """Let its system checks be known."""
        from matchmaking import own_conditions  # noqa: F401
