"""Presence: what players are at now, for those to whom they show it.

What there is to be at lies in the apps above: each hands in how to find it. Nothing here tells a rating.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.may import presence_shown
from people.ties import followed_by, friends_of
from ratings.models import Player

__all__ = ["At", "Doing", "Present", "doing_of", "find_with", "present_friends"]


class At(models.TextChoices):
    """What somebody can be at."""

    SEARCHING = "searching", _("searching")
    PLAYING = "playing", _("in a match")
    ROOM = "room", _("in a room")


@dataclass(frozen=True, slots=True)
class Doing:
    """One thing that a player is at.

    where    the name of the queue, the ladder or the room, for people
    address  of a page about it that whoever may see it can open; empty for none
    id       of the match or the room; None for a search, and for a match that is nobody else's matter
    """

    at: At
    where: str
    address: str = ""
    id: int | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Present:
    """A player who shows what it is at, and what that is: nothing, where it is at nothing."""

    player: Player
    is_friend: bool
    doing: list[Doing]


# Of players, by their ids, what each is at; those who are at nothing may be left out.
Find = Callable[[Collection[int]], Mapping[int, list[Doing]]]
_finders: list[Find] = []


def find_with(find: Find) -> None:
    """Let an app above say what players are at, in a few queries for however many. Called from an app's `ready()`."""
    _finders.append(find)


def doing_of(
    viewer: int, player_ids: Collection[int], *, as_to_friends: Collection[int] = ()
) -> dict[int, list[Doing]]:
    """What those of the players are at who show it to the viewer; who shows nothing is left out.

    as_to_friends  as in `people.may.presence_shown`
    """
    shown = presence_shown(viewer, player_ids, as_to_friends=as_to_friends)
    found: dict[int, list[Doing]] = {pk: [] for pk in shown}
    if not shown:
        return found
    for find in _finders:
        for pk, doing in find(sorted(shown)).items():
            found[pk] += doing
    return found


def present_friends(player_id: int) -> list[Present]:
    """Friends of a player and whom it follows, who show what they are at; those who are at something first."""
    people = {row.followed_id: (row.followed, False) for row in followed_by(player_id)}
    people |= {
        one.other.pk: (one.other, True)
        for one in friends_of(player_id)
        if one.row.agreed_at is not None
    }
    doing = doing_of(player_id, people)
    found = [Present(*people[pk], doing[pk]) for pk in doing]
    return sorted(found, key=lambda one: (not one.doing, one.player.name.casefold(), one.player.pk))
