"""That somebody is in a room, as every page says it."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from foundation.postgresql.transactions import after_commit
from matchmaking.pages.further import FurtherMatter, Shown
from rooms.tend import beat

__all__ = ["SHOWN"]

_SQL = """(
    SELECT json_build_array(room.id, room.name, room.state, seat.seat IS NULL,
                            seat.seen_at < coalesce(%(at)s::timestamptz, now()) - interval '15 s')
    FROM rooms_roommember AS seat JOIN rooms_room AS room ON room.id = seat.room_id
    WHERE seat.player_id = player.id AND seat.live
)"""


def _read(player_id: int, value: Any) -> FurtherMatter:
    number, name, state, watches, is_silent = value
    if is_silent:  # whoever looks at any page is there
        after_commit(beat, player_id)
    if watches:
        words = _("You are watching the room “%(name)s”.")
    elif state == "open":
        words = _("You are in the room “%(name)s”.")
    else:
        words = _("The room “%(name)s” is starting.")
    return FurtherMatter(
        key=("room", number, state, watches),
        words=words % {"name": name},
        href=reverse("room", args=[number]),
        label=_("Open the room"),
    )


SHOWN = Shown(_SQL, _read)
