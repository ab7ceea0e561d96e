"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """See the package's docstring."""

    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Listen for confirmed addresses and passwords that were set anew."""
        from accounts.entrance import confirmed  # noqa: F401
