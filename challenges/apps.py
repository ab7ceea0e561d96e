"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChallengesConfig(AppConfig):
    """See the package's docstring."""

    name = "challenges"
    verbose_name = _("Challenges")
