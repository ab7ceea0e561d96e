"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    """See the package's docstring."""

    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        """Let accounts know whose ways in an operator leaves to somebody else."""
        from accounts.own_matters import check_with
        from ratings.players.own_matters import check_account

        check_with(check_account)
