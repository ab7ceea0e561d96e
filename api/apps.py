"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    """See the package's docstring."""

    name = "api"
    verbose_name = _("REST API")
