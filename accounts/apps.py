"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """See the package's docstring."""

    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Listen for changes to addresses and passwords, and mend how attempts are counted."""
        from accounts.entrance import signals  # noqa: F401
        from accounts.entrance.limits import forget_the_future

        forget_the_future()
