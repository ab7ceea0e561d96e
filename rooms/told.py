"""What players are told of their rooms, by the ways that each has chosen."""

from collections.abc import Collection
from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from notifications.kinds import Group, register, to
from notifications.models import Way
from notifications.tell import take_back, tell
from rooms.models import Room

__all__ = [
    "LONGEST_CLOSING",
    "declare",
    "end_turns",
    "tell_of_closing",
    "tell_of_removal",
    "tell_of_start",
    "tell_of_turn",
]

_SOON = timedelta(minutes=10)
LONGEST_CLOSING = 300  # characters of why a room was closed


def declare() -> None:
    """Declare the kinds of notices. Called from the app's `ready()`."""
    register(
        "room.started",
        Group.PLAY,
        _("The match of the room “%(name)s” has begun."),
        leads_to=to("play-match", "match"),
        ways=(Way.SITE, Way.PUSH),
        lasts=_SOON,
        passes=True,
    )
    register(
        "room.turn",
        Group.PLAY,
        _("It's your turn in the room “%(name)s”."),
        leads_to=to("room", "room"),
        ways=(Way.SITE, Way.PUSH),
        lasts=_SOON,
    )
    register(
        "room.closed",
        Group.DECISIONS,
        _("A moderator has closed the room “%(name)s”. %(reason)s"),
        leads_to=to("rooms"),
    )
    register(
        "room.removed",
        Group.PLAY,
        _("The host has removed you from the room “%(name)s”."),
        leads_to=to("rooms"),
    )


def tell_of_start(room: Room, players: Collection[int]) -> None:
    """Whoever plays: the match has begun."""
    data = {"room": room.pk, "name": room.name, "match": room.match_id}
    tell("room.started", players, about=f"room:{room.pk}:started", data=data)


def tell_of_turn(room: Room, player: int | None, players: Collection[int]) -> None:
    """The captain whose turn it is, and no captain of those before any more. `players`: all who are in the room."""
    end_turns(room, players)
    if player is not None:
        data = {"room": room.pk, "name": room.name}
        tell("room.turn", [player], about=_turn_of(room), data=data)


def end_turns(room: Room, players: Collection[int]) -> None:
    """It is nobody's turn any more: what they were told of it is done. `players`: all who were in the room."""
    take_back("room.turn", _turn_of(room), players=players)


def _turn_of(room: Room) -> str:
    return f"room:{room.pk}:turn"


def tell_of_closing(room: Room, players: Collection[int], reason: str) -> None:
    """Whoever was in it when a moderator closed it, and why."""
    data = {"room": room.pk, "name": room.name, "reason": reason}
    tell("room.closed", players, about=f"room:{room.pk}:closed", data=data)


def tell_of_removal(room: Room, player: int) -> None:
    """Whoever was removed."""
    about = f"room:{room.pk}:removed"
    tell("room.removed", [player], about=about, data={"room": room.pk, "name": room.name})
