"""Where players write to each other: in a party, in a room, in a match, on one side of a match.

What a place is to one player is read anew for each request: who is in it, since when, and whether it is open still.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Q

from matchmaking.models import PartyMember
from ratings.models import OPEN, MatchState, Participant, Player
from rooms.models import RoomMember
from talk.models import TalkRules
from talk.refusals import NoSuchPlaceError

__all__ = ["Place", "PlaceKind", "place_for", "places_with"]


class PlaceKind(StrEnum):
    """What a place is, as addresses name it. The number in an address is that of the party, room or match."""

    PARTY = "party"
    MATCH = "match"
    SIDE = "side"
    ROOM = "room"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place as one player has it.

    columns   what lines of this place have in their columns
    members   ids of the players who are in it now, this one among them: they are told that something was said
    since     the player reads what was said from then on
    ends_at   from then on nobody writes here; None: not known yet
    """

    kind: PlaceKind
    id: int
    game_id: int
    columns: Mapping[str, int | None]
    members: Sequence[int]
    since: datetime
    is_open: bool = True
    ends_at: datetime | None = None
    about: Mapping[str, int] = field(default_factory=dict)

    @property
    def lines(self) -> Q:
        """The condition on lines of this place that the player may read."""
        return Q(**_with_nulls(self.columns), said_at__gte=self.since)


def _with_nulls(columns: Mapping[str, int | None]) -> dict[str, object]:
    return {
        f"{name}__isnull" if value is None else name: True if value is None else value
        for name, value in columns.items()
    }


Finder = Callable[[int, Player, TalkRules, datetime], Place | None]
_finders: dict[str, Finder] = {}


def places_with(kind: PlaceKind) -> Callable[[Finder], Finder]:
    """Declare what finds places of a kind: given their number, the player, the game's rules and the time."""

    def declare(finder: Finder) -> Finder:
        _finders[kind] = finder
        return finder

    return declare


def place_for(kind: str, pk: int, player: Player, rules: TalkRules, now: datetime) -> Place:
    """The place, if the player is in it. Raises NoSuchPlaceError, and says nothing of places of others."""
    finder = _finders.get(kind)
    place = finder(pk, player, rules, now) if finder else None
    if place is None:
        raise NoSuchPlaceError
    return place


@places_with(PlaceKind.PARTY)
def _party(pk: int, player: Player, rules: TalkRules, now: datetime) -> Place | None:
    """Of its live members: each reads what was said since joining."""
    del rules, now
    members = PartyMember.objects.filter(party=pk, party__game=player.game_id, live=True)
    seats = dict(members.values_list("player", "joined_at"))
    if player.pk not in seats:
        return None
    return Place(
        kind=PlaceKind.PARTY,
        id=pk,
        game_id=player.game_id,
        columns={"party": pk},
        members=sorted(seats),
        since=seats[player.pk],
        about={"party": pk},
    )


@places_with(PlaceKind.ROOM)
def _room(pk: int, player: Player, rules: TalkRules, now: datetime) -> Place | None:
    """Of those who are in it, whoever only looks on included: each reads what was said since coming."""
    del rules, now
    members = RoomMember.objects.filter(room=pk, room__game=player.game_id, live=True)
    seats = dict(members.values_list("player", "joined_at"))
    if player.pk not in seats:
        return None
    return Place(
        kind=PlaceKind.ROOM,
        id=pk,
        game_id=player.game_id,
        columns={"room": pk},
        members=sorted(seats),
        since=seats[player.pk],
        about={"room": pk},
    )


@places_with(PlaceKind.MATCH)
def _match(pk: int, player: Player, rules: TalkRules, now: datetime) -> Place | None:
    return _in_match(pk, player, rules, now, is_side=False)


@places_with(PlaceKind.SIDE)
def _side(pk: int, player: Player, rules: TalkRules, now: datetime) -> Place | None:
    return _in_match(pk, player, rules, now, is_side=True)


def _in_match(
    pk: int, player: Player, rules: TalkRules, now: datetime, *, is_side: bool
) -> Place | None:
    """Of its players, while it goes on and for some minutes after it. Imported matches never were ones to talk in."""
    people = Participant.objects.filter(
        match=pk, match__game=player.game_id, match__source__isnull=True
    )
    rows = list(
        people.values_list("player", "team", "match__state", "match__played_at", "match__ended_at")
    )
    own = next((row for row in rows if row[0] == player.pk), None)
    if own is None:
        return None
    _player, team, state, started, ended = own
    ends = None if ended is None else ended + timedelta(minutes=rules.open_minutes)
    members = [row[0] for row in rows if not is_side or row[1] == team]
    is_open = state in {*OPEN, MatchState.DISPUTED} or (ends is not None and now < ends)
    if is_side and len(members) < 2:
        return None
    return Place(
        kind=PlaceKind.SIDE if is_side else PlaceKind.MATCH,
        id=pk,
        game_id=player.game_id,
        columns={"match": pk, "team": team if is_side else None},
        members=sorted(members),
        since=started,
        is_open=is_open,
        ends_at=ends,
        about={"match": pk},
    )
