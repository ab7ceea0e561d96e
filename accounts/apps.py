"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """See the package's docstring."""

    name = "accounts"
    verbose_name = _("Accounts")
