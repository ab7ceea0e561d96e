"""From a full room to its match: captains pick, maps are struck out, and one transaction begins the match, once.

Every step is taken under the room's lock by whoever does it last: a player who becomes ready, a captain who picks, or
the clock (`tend`). Whoever cannot play any more, being suspended or in a match that began elsewhere, loses the seat
then, and the room is open again.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from events.kinds import Kind
from foundation import timekeeping
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from matchmaking.conduct import NotAvailableError, standing_of
from matchmaking.pairing.maps_and_sides.lots import draw_lots
from matchmaking.playing import playing_of
from ratings.matches.refusals import AlreadyPlayingError, WrongPlayersError
from ratings.matches.start import Terms, begin_match
from ratings.models import Player, SuspendedFrom
from ratings.sanctions import SuspendedError, suspended
from rooms.held import HeldRoom, hold_room
from rooms.models import MapChoice, Room, RoomMember, RoomState, StartRule, TeamChoice
from rooms.parting import TURN, part, reopen
from rooms.places import Place, lobby_of, place_of
from rooms.refusals import (
    CannotPickError,
    NotReadyError,
    NotYourTurnError,
    WrongCaptainsError,
)
from rooms.teams import by_strength, draft_order, line_up
from rooms.told import end_turns, tell_of_start, tell_of_turn

__all__ = [
    "begin_when_due",
    "pick",
    "start",
    "strike",
    "strikers",
    "take_turn",
    "turn_is_over",
    "whose_turn",
]


def start(*, room_id: int, by: Player, captains: Sequence[int] = ()) -> Room:
    """Begin, as the host: the match, or first the picks of captains, or which maps are struck out.

    `captains`: whom the host has chosen for a draft; else those whom `by_strength` names first. Raises RoomOverError,
    RoomNotOpenError, NotHostError, NotReadyError, CannotPickError; where somebody cannot play, what says so, and that
    one has lost the seat.
    """
    refusal = None
    with briefly() as now:
        held = hold_room(room_id)
        held.check_host(by.pk)
        held.check_open()
        waiting = [one for one in held.seated if not one.is_ready]
        if not held.is_full or (waiting and held.room.start_rule == StartRule.READY):
            raise NotReadyError(len(held.free_seats), len(waiting))
        refusal = _begin(held, now, captains)
    if refusal is not None:  # only now: whoever cannot play has lost the seat, and that stays
        raise refusal
    return held.room


def begin_when_due(held: HeldRoom, now: datetime) -> RefusedError | None:
    """Begin where the room's own rule says so."""
    rule, room = held.room.start_rule, held.room
    if room.state != RoomState.OPEN or not held.is_full or rule == StartRule.HOST:
        return None
    if rule == StartRule.READY and not all(one.is_ready for one in held.seated):
        return None
    return _begin(held, now)


def pick(*, room_id: int, by: Player, player: int) -> Room:
    """Pick a player for one's team, as the captain whose turn it is.

    Raises RoomOverError, NotInRoomError, NotYourTurnError, CannotPickError.
    """
    with briefly() as now:
        held = hold_room(room_id)
        held.member(by.pk)
        _check_turn(held, by.pk, RoomState.DRAFTING, now)
        if player not in [one.player_id for one in held.seated if one.team is None]:
            raise CannotPickError(player)
        refusal = _picked(held, player, now)
    if refusal is not None:
        raise refusal
    return held.room


def strike(*, room_id: int, by: Player, map_name: str) -> Room:
    """Strike out a map, as the captain whose turn it is; the last that is left is played.

    Raises RoomOverError, NotInRoomError, NotYourTurnError, CannotPickError.
    """
    with briefly() as now:
        held = hold_room(room_id)
        held.member(by.pk)
        _check_turn(held, by.pk, RoomState.STARTING, now)
        place = _place(held)
        if map_name not in _left(held, place):
            raise CannotPickError(map_name, _left(held, place))
        refusal = _struck(held, place, map_name, now)
    if refusal is not None:
        raise refusal
    return held.room


def turn_is_over(held: HeldRoom, now: datetime) -> bool:
    """Whether somebody has let the clock run out."""
    room = held.room
    if room.turn_ends_at is None or room.turn_began_at is None or room.turn_ends_at > now:
        return False
    return timekeeping.deadlines().is_over(began=room.turn_began_at, ends=room.turn_ends_at)


def take_turn(held: HeldRoom, now: datetime) -> RefusedError | None:
    """Pick or strike out by rule, for whoever has let the clock run out: the strongest that is left, on normal ladders
    by lot; of maps by lot.
    """
    place = _place(held)
    if held.room.state == RoomState.DRAFTING:
        free = {one.player_id for one in held.seated if one.team is None}
        return _picked(held, next(pk for pk in by_strength(held, place) if pk in free), now)
    left = _left(held, place)
    if len(left) < 2:  # the operator has taken maps away since
        return _begin_with(held, place, left, now)
    lots = draw_lots(np.arange(len(left)) + held.room.pk * 101 + len(held.room.struck))
    return _struck(held, place, left[int(lots.argmax())], now)


def whose_turn(room: Room, seated: Sequence[RoomMember]) -> int | None:
    """Id of the player who picks or strikes out now; None for nobody."""
    if room.state == RoomState.DRAFTING:
        captains = _captains(seated)
        picks = room.seats - room.team_count
        done = sum(1 for one in seated if one.picked)
        order = draft_order(captains, picks)
        return order[done] if done < len(order) else None
    if room.state == RoomState.STARTING:
        who = strikers(room, seated)
        return who[len(room.struck) % len(who)] if who else None
    return None


def strikers(room: Room, seated: Sequence[RoomMember]) -> list[int]:
    """Who strikes out maps, in turns: captains, or whoever sits first in each team."""
    if room.team_choice == TeamChoice.DRAFT and (captains := _captains(seated)):
        return captains
    step = room.team_size if room.team_choice == TeamChoice.SEATED else 1
    return [one.player_id for one in seated if (one.seat or 0) % step == 0][: room.team_count]


def _begin(held: HeldRoom, now: datetime, captains: Sequence[int] = ()) -> RefusedError | None:
    """The first step of those that this room takes."""
    if (refusal := _drop_unable(held, now)) is not None:
        return refusal
    room, place = held.room, _place(held)
    if room.team_choice != TeamChoice.DRAFT or room.team_size == 1:
        return _after_teams(held, place, now)
    order = by_strength(held, place)
    chosen = list(captains) or order[: room.team_count]
    if len(set(chosen)) != room.team_count or not set(chosen) <= set(order):
        raise WrongCaptainsError(list(captains), room.team_count)
    # The weakest picks first; `order` says who that is, on normal ladders by lot.
    chosen.sort(key=order.index, reverse=True)
    seats = {one.player_id: one for one in held.seated}
    for number, pk in enumerate(chosen):
        seats[pk].team, seats[pk].picked = number, 0
        seats[pk].save(update_fields=["team", "picked"])
    room.state = RoomState.DRAFTING
    _next_turn(held, place, now)
    held.save(now, "state", *TURN)
    held.tell(Kind.ROOM_CHANGED)
    return None


def _picked(held: HeldRoom, player: int, now: datetime) -> RefusedError | None:
    room, place = held.room, _place(held)
    captain = whose_turn(room, held.seated)
    team = next(one.team for one in held.seated if one.player_id == captain)
    done = sum(1 for one in held.seated if one.picked)
    member = held.member(player)
    member.team, member.picked = team, done + 1
    member.save(update_fields=["team", "picked"])
    if any(one.team is None for one in held.seated):
        _next_turn(held, place, now)
        held.save(now, *TURN)
        held.tell(Kind.ROOM_CHANGED)
        return None
    return _drop_unable(held, now) or _after_teams(held, place, now)


def _after_teams(held: HeldRoom, place: Place, now: datetime) -> RefusedError | None:
    """Teams are known, or will be: strike out maps where the room wants that, else begin the match."""
    room = held.room
    if room.map_choice == MapChoice.VETO and len(place.maps) > 1:
        room.state = RoomState.STARTING
        _next_turn(held, place, now)
        held.save(now, "state", *TURN)
        held.tell(Kind.ROOM_CHANGED)
        return None
    return _match(held, place, _map_of(held, place), now)


def _struck(held: HeldRoom, place: Place, name: str, now: datetime) -> RefusedError | None:
    room = held.room
    room.struck = [*room.struck, name]
    left = _left(held, place)
    if len(left) > 1:
        _next_turn(held, place, now)
        held.save(now, "struck", *TURN)
        held.tell(Kind.ROOM_CHANGED)
        return None
    return _begin_with(held, place, left, now)


def _begin_with(
    held: HeldRoom, place: Place, left: Sequence[str], now: datetime
) -> RefusedError | None:
    """Begin the match on the only map that is left, or on none."""
    return _drop_unable(held, now) or _match(held, place, left[0] if left else "", now)


def _match(held: HeldRoom, place: Place, map_name: str, now: datetime) -> RefusedError | None:
    """Begin the match: the room has started with it, and everybody has left it for it."""
    room = held.room
    sided = line_up(held, place, map_name)
    sides_by = "" if sided.neutral else "lot"
    terms = Terms(map_name=map_name, neutral=sided.neutral, rated=room.rated, sides_by=sides_by)
    try:
        match = begin_match(place.ladder, sided.teams, terms)
    except (AlreadyPlayingError, SuspendedError) as refusal:
        return _drop_unable(held, now) or refusal
    except WrongPlayersError as refusal:  # the ladder's shape is another one since
        held.save(now, *reopen(held))
        held.tell(Kind.ROOM_CHANGED)
        return refusal
    room.state, room.match_id, room.map = RoomState.STARTED, match, map_name
    room.ended_at = max(now, room.created_at)
    room.turn_began_at = room.turn_ends_at = None
    everyone = held.players
    RoomMember.objects.filter(room=room, live=True).update(live=False, left_at=now)
    held.save(now, "state", "match", "map", "ended_at", "struck", *TURN)
    held.members = []
    held.tell(Kind.ROOM_STARTED, everyone, match=match)
    end_turns(room, everyone)
    tell_of_start(room, [pk for team in sided.teams for pk in team])
    return None


def _drop_unable(held: HeldRoom, now: datetime) -> RefusedError | None:
    """Take the seats of those who cannot play: the room is open again then, and this says why."""
    seated = [one.player_id for one in held.seated]
    playing = playing_of(seated)
    out = suspended(seated, SuspendedFrom.SEARCHING)
    refusals: dict[int, RefusedError] = {
        pk: AlreadyPlayingError(pk, match) for pk, match in playing.items()
    }
    refusals |= {pk: SuspendedError(one, is_own=False) for pk, one in out.items()}
    cooling = [pk for pk, one in standing_of(seated, now).items() if one.is_cooling]
    refusals |= {pk: NotAvailableError() for pk in cooling if pk not in refusals}
    if not refusals:
        return None
    gone = sorted(refusals)
    part(held, gone, now, Kind.ROOM_LEFT)
    return refusals[gone[0]]


def _next_turn(held: HeldRoom, place: Place, now: datetime) -> None:
    held.room.turn_began_at = now
    held.room.turn_ends_at = now + timedelta(seconds=place.lobby.turn_seconds)
    tell_of_turn(held.room, whose_turn(held.room, held.seated), held.players)


def _check_turn(held: HeldRoom, player_id: int, state: RoomState, now: datetime) -> None:
    turn = whose_turn(held.room, held.seated) if held.room.state == state else None
    if turn != player_id or turn_is_over(held, now):
        raise NotYourTurnError(turn)


def _captains(seated: Sequence[RoomMember]) -> list[int]:
    """In the order in which they pick: by the numbers of their teams."""
    heads = [one for one in seated if one.picked == 0]
    return [one.player_id for one in sorted(heads, key=lambda one: one.team or 0)]


def _left(held: HeldRoom, place: Place) -> list[str]:
    """Maps that nobody has struck out."""
    return [name for name in place.maps if name not in held.room.struck]


def _map_of(held: HeldRoom, place: Place) -> str:
    """The map that the host has chosen, or that most want: of equals a lot decides; empty: the game chooses."""
    room = held.room
    if room.map_choice == MapChoice.HOST:
        return room.map
    if room.map_choice not in (MapChoice.VOTE, MapChoice.VETO) or not place.maps:
        return ""
    votes = np.array([sum(one.vote == name for one in held.seated) for name in place.maps])
    lots = draw_lots(np.arange(len(votes)) + room.pk * 101)
    return place.maps[int(np.where(votes == votes.max(), lots, -1.0).argmax())]


def _place(held: HeldRoom) -> Place:
    ladder = held.room.ladder
    return place_of(ladder, lobby_of(ladder.game_id))
