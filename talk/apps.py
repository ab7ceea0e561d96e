"""The app's name and place, and what it adds to apps below."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TalkConfig(AppConfig):
    """See the package's docstring."""

    name = "talk"
    verbose_name = _("Talk")

    def ready(self) -> None:
        """Show the talk beside parties and matches, and let mutes follow merges."""
        from matchmaking.pages import beside
        from ratings.merging import merge
        from talk import mutes
        from talk.beside import talk_beside

        beside.show_with(talk_beside)
        merge.follow_with(mutes.follow_merge)
