"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TalkConfig(AppConfig):
    """See the package's docstring."""

    name = "talk"
    verbose_name = _("Talk")
