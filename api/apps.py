"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    """See the package's docstring."""

    name = "api"
    verbose_name = _("REST API")

    def ready(self) -> None:
        """Let the description of the API know how callers sign in."""
        from api import description  # noqa: F401
