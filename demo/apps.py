"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DemoConfig(AppConfig):
    """See the package's docstring."""

    name = "demo"
    verbose_name = _("Demo")
