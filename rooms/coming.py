"""Coming into a room: who may, checked under the room's lock, in both directions, and for a whole party or not at all.

Nobody is in two places. Whoever takes a seat has no search, offer or match in the game: the players' rows are held as
searches that begin wait for (`matchmaking.tickets.places`), so each of the two sees the other. A search of somebody who
has a seat is refused (`elsewhere.check_searching`), and so is a match by a challenge (`elsewhere.check_coming`).
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q

from events.kinds import Kind
from foundation.postgresql.transactions import briefly
from groups.read import member_ids_of
from matchmaking.conduct import check_not_cooling
from matchmaking.kept_apart import kept_out_by
from matchmaking.models import TicketMember
from matchmaking.parties.membership import HeldParty, hold_party, party_of
from matchmaking.playing import playing_of
from matchmaking.refusals import (
    AlreadySearchingError,
    MemberPlayingError,
    MemberSearchingError,
    PartyOverError,
    TooManyDisputesError,
    WrongGameError,
    WrongPreferencesError,
)
from matchmaking.tickets.places import hold_players
from matchmaking.tickets.preferences import InvalidPreferences, read_preferences
from people.ties import friend_ids
from ratings.archiving import ArchivedError
from ratings.disputes import kept_out
from ratings.matches.start import AlreadyPlayingError
from ratings.models import Ladder, Mode, Player, SuspendedFrom
from ratings.sanctions import SuspendedError, suspended
from rooms.filters.judge import first_refusals
from rooms.filters.travellers import read_travellers, scales_of
from rooms.filters.words import reason_of, said_of
from rooms.held import HeldRoom, hold_room
from rooms.models import Access, Room, RoomMember
from rooms.places import Place, place_of
from rooms.refusals import (
    AlreadyInRoomError,
    PartyJoinsWholeError,
    RemovedFromRoomError,
    RoomFullError,
    RoomOverError,
    RoomRefusesError,
    SeatTakenError,
)
from rooms.start import begin_when_due

__all__ = ["check_free", "check_not_kept_out", "closed_to", "hold_whole_party", "join", "watch"]


def join(
    *,
    room_id: int,
    player: Player,
    code: str = "",
    seat: int | None = None,
    wishes: Mapping[str, Any] | None = None,
) -> Room:
    """Take a seat, with the whole party of its leader; the first that is free, or `seat`. The same again is no change.

    `wishes`: what the player would like, as in searches; left out, what was wanted last. Raises RoomOverError,
    RoomNotOpenError, RemovedFromRoomError, RoomRefusesError, RoomFullError, SeatTakenError, AlreadyInRoomError,
    PartyJoinsWholeError, WrongPreferencesError, and what keeps a player from searching.
    """
    ladder_id = _ladder_of(room_id)
    place = place_of(Ladder.objects.select_related("game").get(pk=ladder_id))
    asked = _read_wishes(wishes, place)
    with briefly() as now:
        party = hold_whole_party(player, place)
        held = hold_room(room_id)
        together = [player.pk] if party is None else [*party.players]
        coming = [pk for pk in together if not _sits(held, pk)]
        if coming:
            held.check_open()
            hold_players(coming)
            check_free(player, coming, place, but_room=room_id)
            _check_fits(held, place, coming, code, {player.pk: asked}, asking=player.pk)
            # Who has been here before may change seats so: those who are ready were it for other teams.
            were_here = RoomMember.objects.filter(room=room_id, player__in=coming).exists()
            _seat(held, coming, seat, now, {player.pk: asked})
            if were_here:
                held.nobody_is_ready()
            held.save(now)
            held.tell(Kind.ROOM_JOINED)
            begin_when_due(held, now)
    return held.room


def watch(*, room_id: int, player: Player, code: str = "") -> Room:
    """Look on without a seat; whoever has one gives it up. Raises what `join` does, but for seats and searches."""
    place = place_of(Ladder.objects.select_related("game").get(pk=_ladder_of(room_id)))
    with briefly() as now:
        held = hold_room(room_id)
        here = [one for one in held.members if one.player_id == player.pk]
        if here and here[0].seat is None:
            return held.room
        held.check_open()
        hold_players([player.pk])
        if here:
            here[0].seat = None
            here[0].save(update_fields=["seat"])
            held.nobody_is_ready()
        else:
            check_not_kept_out([player.pk], own=player.pk)
            _check_nowhere(player, [player.pk], room_id)
            _check_fits(held, place, [player.pk], code, {}, asking=player.pk)
            _write(held, player.pk, None, now, {})
        held.save(now)
        held.tell(Kind.ROOM_JOINED)
    return held.room


def hold_whole_party(player: Player, place: Place) -> HeldParty | None:
    """Lock the party for which the player takes seats; None for alone. Raises PartyJoinsWholeError for another than
    its leader. Where one plays one, everybody comes alone.
    """
    if place.ladder.team_size == 1 or (party := party_of(player.pk)) is None:
        return None
    try:
        held = hold_party(party.pk)
    except PartyOverError:
        return None
    if player.pk not in held.players or len(held.players) == 1:
        return None
    if held.leader != player.pk:
        raise PartyJoinsWholeError(held.party.pk, held.leader)
    return held


def check_free(
    asking: Player, players: Sequence[int], place: Place, *, but_room: int | None = None
) -> None:
    """Raise unless these players, whose rows are held, may take seats: nobody plays, searches, or sits elsewhere, and
    nobody is kept from matches.
    """
    if place.ladder.is_archived:
        raise ArchivedError(place.ladder)
    if place.ladder.game_id != asking.game_id:
        raise WrongGameError(asking.pk)
    check_not_kept_out(players, own=asking.pk)
    _check_nowhere(asking, players, but_room)
    searches = TicketMember.objects.filter(player__in=players, live=True)
    for pk, ticket in searches.values_list("player", "ticket"):
        if pk == asking.pk:
            raise AlreadySearchingError(ticket)
        raise MemberSearchingError(_name_of(pk), pk, ticket)
    for pk, match in playing_of(players).items():
        if pk == asking.pk:
            raise AlreadyPlayingError(pk, match)
        raise MemberPlayingError(_name_of(pk), pk, match)
    if place.ladder.mode == Mode.RANKED:
        game = place.ladder.game
        for matches in kept_out(game, players).values():
            raise TooManyDisputesError(matches, game.disputes_at_most)


def check_not_kept_out(players: Sequence[int], *, own: int) -> None:
    """Raise SuspendedError, CoolingOffError or NotAvailableError where one of these is suspended, or cools off."""
    sanctions = suspended(players, SuspendedFrom.SEARCHING)
    for pk in (pk for pk in players if pk in sanctions):
        raise SuspendedError(sanctions[pk], is_own=pk == own)
    check_not_cooling(players, own=own)


def _check_nowhere(asking: Player, players: Sequence[int], but_room: int | None) -> None:
    elsewhere = RoomMember.objects.filter(player__in=players, live=True).exclude(room=but_room)
    for pk, room in elsewhere.values_list("player", "room"):
        raise AlreadyInRoomError(pk, room, is_own=pk == asking.pk)


def _check_fits(
    held: HeldRoom,
    place: Place,
    coming: Sequence[int],
    code: str,
    wishes: Mapping[int, Mapping[str, Any] | None],
    *,
    asking: int,
) -> None:
    """Raise unless each of these may be in the room; `asking` is who brings the others."""
    room = held.room
    was_removed = RoomMember.objects.filter(room=room, removed=True)
    if was_removed.filter(Q(player__in=coming) | Q(player__merged_into__in=coming)).exists():
        raise RemovedFromRoomError(room.pk)
    here = set(held.players)
    strangers = [pk for pk in coming if pk not in here]
    friends = friend_ids(room.host_id) if room.access == Access.FRIENDS else set()
    fellows = (
        member_ids_of(room.group_id) if room.access == Access.GROUP and room.group_id else set()
    )
    if code != room.code and (reason := closed_to(room, strangers, friends, fellows)):
        raise RoomRefusesError(reason, reason_of(reason))
    # Who only looks on keeps nobody out: else strangers could close rooms of others to whom they like.
    playing = {one.player_id for one in held.seated} | {room.host_id}
    others = [pk for pk in playing if pk not in coming]
    kept_out = kept_out_by(coming, others, asking=asking)
    scale = scales_of([place])[place.ladder.pk]
    said = {pk: its for pk, its in wishes.items() if its}
    brought = [pk for pk in coming if pk != asking]
    found = read_travellers(place, scale, [room.host_id, *coming], said, brought=brought)
    refusals = first_refusals(
        scale,
        room.filters,
        found[room.host_id],
        [found[pk] for pk in coming],
        {one for one, _other in kept_out},
    )
    for refusal in refusals:
        if refusal is not None:
            raise RoomRefusesError(*said_of(refusal))


def closed_to(
    room: Room, strangers: Sequence[int], friends: Collection[int], fellows: Collection[int]
) -> str:
    """Why a room is closed to some of these who come without its code; empty where it is open to all of them.

    friends  those of them, at least, who are friends of the host
    fellows  those of them, at least, who are in the room's group
    """
    if room.access == Access.CODE and strangers:
        return "code"
    if room.access == Access.FRIENDS and not {*strangers} <= {*friends, room.host_id}:
        return "friends"
    if room.access == Access.GROUP and not {*strangers} <= {*fellows, room.host_id}:
        return "group"
    return ""


def _seat(
    held: HeldRoom,
    coming: Sequence[int],
    wanted: int | None,
    now: datetime,
    wishes: Mapping[int, Mapping[str, Any] | None],
) -> None:
    """Give seats; a party stays in one team where teams are as seated."""
    free = held.free_seats
    if len(free) < len(coming):
        raise RoomFullError(held.room.seats)
    size = held.room.team_size
    if wanted is not None:
        if wanted not in free:
            raise SeatTakenError(wanted)
        near = [seat for seat in free if seat // size == wanted // size and seat != wanted]
        seats = [wanted, *near, *(seat for seat in free if seat // size != wanted // size)]
    else:
        seats = free
    if held.room.team_choice == "seated" and len(coming) > 1:
        by_team = [[s for s in seats if s // size == team] for team in range(held.room.team_count)]
        fitting = [its for its in by_team if len(its) >= len(coming)]
        if not fitting:
            raise RoomFullError(held.room.seats)
        seats = fitting[0]
    for pk, seat in zip(coming, seats, strict=False):
        _write(held, pk, seat, now, wishes.get(pk) or {})


def _write(
    held: HeldRoom, player_id: int, seat: int | None, now: datetime, wishes: Mapping[str, Any]
) -> None:
    """Let a player be in the room, as a row of before or a new one."""
    values: dict[str, Any] = {
        "live": True,
        "seat": seat,
        "seats": held.room.seats,
        "is_ready": False,
        "team": None,
        "picked": None,
        "vote": "",
        "wishes": dict(wishes),
        "misfit": "",
        "joined_at": now,
        "seen_at": now,
        "left_at": None,
    }
    here = [one for one in held.members if one.player_id == player_id]
    if here:  # has watched so far
        values.pop("joined_at")
    member, _made = RoomMember.objects.update_or_create(
        room=held.room, player_id=player_id, defaults=values
    )
    held.members = [one for one in held.members if one.player_id != player_id] + [member]


def _sits(held: HeldRoom, player_id: int) -> bool:
    return any(one.player_id == player_id and one.seat is not None for one in held.members)


def _read_wishes(wishes: Mapping[str, Any] | None, place: Place) -> dict[str, Any] | None:
    if wishes is None:
        return None
    try:
        return read_preferences(wishes, place.settings)
    except InvalidPreferences as error:
        raise WrongPreferencesError(error.wrong) from None


def _ladder_of(room_id: int) -> int:
    ladder = Room.objects.filter(pk=room_id).values_list("ladder", flat=True).first()
    if ladder is None:
        raise RoomOverError(room_id, "closed")
    return ladder


def _name_of(player_id: int) -> str:
    return Player.objects.get(pk=player_id).name
