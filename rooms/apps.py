"""The app's name and place."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RoomsConfig(AppConfig):
    """See the package's docstring."""

    name = "rooms"
    verbose_name = _("Rooms")

    def ready(self) -> None:
        """Let lower apps know what a seat in a room means for them, and what ends it."""
        from challenges import checks
        from matchmaking.pages import further
        from matchmaking.tickets import create
        from people import presence
        from ratings import archiving, sanctions
        from ratings.merging import merge
        from ratings.merging.running import running_with
        from rooms import elsewhere, told
        from rooms.pages import ongoing_room
        from rooms.presence import rooms_of

        told.declare()
        presence.find_with(rooms_of)
        create.check_with(elsewhere.check_searching)
        checks.check_with(elsewhere.check_coming)
        sanctions.follow_with(elsewhere.follow_sanction)
        archiving.follow_with(elsewhere.follow_archived)
        merge.follow_with(elsewhere.follow_merge)
        running_with(elsewhere.find, elsewhere.end)
        further.show_with(ongoing_room.SHOWN)
