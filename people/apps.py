"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    """See the package's docstring."""

    name = "people"
    verbose_name = _("People")
