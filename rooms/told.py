"""What players are told of their rooms, by the ways that each has chosen."""

from collections.abc import Collection
from datetime import timedelta

from django.utils.translation import gettext_lazy as _

from notifications.kinds import Group, register, to
from notifications.models import Way
from notifications.tell import tell
from rooms.models import Room

__all__ = ["declare", "tell_of_removal", "tell_of_start", "tell_of_turn"]

_SOON = timedelta(minutes=10)


def declare() -> None:
    """Declare the kinds of notices. Called from the app's `ready()`."""
    register(
        "room.started",
        Group.PLAY,
        _("The match of the room “%(name)s” has begun."),
        leads_to=to("play-match", "match"),
        ways=(Way.SITE, Way.PUSH),
        lasts=_SOON,
    )
    register(
        "room.turn",
        Group.PLAY,
        _("It's your turn in the room “%(name)s”."),
        leads_to=to("game-room", "room"),
        ways=(Way.SITE, Way.PUSH),
        lasts=_SOON,
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


def tell_of_turn(room: Room, player: int | None) -> None:
    """The captain whose turn it is."""
    if player is not None:
        about = f"room:{room.pk}:{room.revision}"
        tell("room.turn", [player], about=about, data={"room": room.pk, "name": room.name})


def tell_of_removal(room: Room, player: int) -> None:
    """Whoever was removed."""
    about = f"room:{room.pk}:removed"
    tell("room.removed", [player], about=about, data={"room": room.pk, "name": room.name})
