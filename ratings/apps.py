"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    """See the package's docstring."""

    name = "ratings"
    verbose_name = _("Ratings")
