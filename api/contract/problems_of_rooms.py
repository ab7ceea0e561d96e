"""How rooms refuse: code, status, title, and why it comes and what helps."""

from http import HTTPStatus

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

__all__ = ["OF_ROOMS"]

Words = str | Promise

OF_ROOMS: list[tuple[str, HTTPStatus, Words, Words]] = [
    ("unknown_room", HTTPStatus.NOT_FOUND, _("No such room"),
     _("No live room of the game has this code. It may have started or closed, or got a new code.")),
    ("room_over", HTTPStatus.CONFLICT, _("The room is over"),
     _("Its match has begun, or it was closed: `state` says which, `match` is the match.")),
    ("room_not_open", HTTPStatus.CONFLICT, _("The room is starting"),
     _("Captains pick players or strike out maps. Until that is over nobody comes, and nothing else changes.")),
    ("rooms_closed", HTTPStatus.CONFLICT, _("No new rooms"),
     _("The operator takes no new rooms in this game now.")),
    ("too_many_rooms", HTTPStatus.CONFLICT, _("Too many rooms"),
     _("The game has as many rooms as its operator allows: `most`.")),
    ("wrong_room", HTTPStatus.UNPROCESSABLE_ENTITY, _("Not possible in this room"),
     _("Some of the settings are not possible. `errors` names each. `GET /rooms/choices` says what is.")),
    ("not_in_room", HTTPStatus.CONFLICT, _("Not in this room"),
     _("Whoever acts in a room, and whoever is acted on, must be in it. `player` is the one who is not.")),
    ("not_host", HTTPStatus.FORBIDDEN, _("Not the host"),
     _("Only the host changes, starts and closes a room, and removes players. `host` is the host's id.")),
    ("already_in_room", HTTPStatus.CONFLICT, _("Already in a room"),
     _("A player is in one room of a game at a time. `room` is its id, `player` who is in it.")),
    ("in_room", HTTPStatus.CONFLICT, _("In a room"),
     _("Nobody searches who has a seat in a room. `room` is its id, `player` who has the seat.")),
    ("party_joins_whole", HTTPStatus.CONFLICT, _("A party joins whole"),
     _("Of a party only its `leader` takes seats, and for all of it.")),
    ("removed_from_room", HTTPStatus.FORBIDDEN, _("Removed from the room"),
     _("The host has removed the player, who cannot come back into this `room`.")),
    ("room_full", HTTPStatus.CONFLICT, _("The room is full"),
     _("It has `seats` seats, and too few are free, or too few in one team for a party.")),
    ("seat_taken", HTTPStatus.CONFLICT, _("The seat is taken"),
     _("Somebody has this `seat`, or the room has none of this number.")),
    ("room_refuses", HTTPStatus.FORBIDDEN, _("The room is not open to this player"),
     _("`reason` names the filter that keeps the player out, `code` where a code is needed, or `closed_to_you`, which "
       "says no more.")),
    ("room_not_ready", HTTPStatus.CONFLICT, _("The room is not ready"),
     _("So many seats are `free`, and so many players `not_ready`.")),
    ("not_your_turn", HTTPStatus.CONFLICT, _("Not your turn"),
     _("Another captain picks or strikes out now: `player`, or nobody.")),
    ("no_vote", HTTPStatus.CONFLICT, _("No vote"),
     _("The map is voted on where `map_choice` is `vote`, by players who have a seat.")),
    ("cannot_pick", HTTPStatus.CONFLICT, _("It cannot be picked"),
     _("The player or map in `picked` is taken, not there, or no host now. `maps` are those that are.")),
]  # fmt: skip
