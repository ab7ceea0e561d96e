"""Rooms: opening one, how it is to be, who is host, and its end. Every change holds the room's row, see `held`."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from foundation.postgresql.transactions import briefly
from foundation.refusals import RefusedError
from matchmaking.parties.lifecycle import plain_code
from matchmaking.tickets.places import hold_players
from matchmaking.tickets.preferences import Wrong
from ratings.archiving import ArchivedError
from ratings.matches.refusals import check_by_results
from ratings.models import Ladder, Player
from ratings.players.own_matters import check_not_own
from ratings.sanctions import check_may_write
from rooms.coming import check_free, check_not_kept_out, hold_whole_party
from rooms.filters.declared import BY_RATING
from rooms.filters.judge import first_refusals
from rooms.filters.travellers import read_travellers, scales_of
from rooms.filters.words import said_of
from rooms.held import HeldRoom, hold_room
from rooms.models import MapChoice, Room, RoomMember, StartRule
from rooms.parting import close_held, part
from rooms.places import Place, lobby_of, place_of
from rooms.refusals import (
    CannotPickError,
    LobbyClosedError,
    LobbyFullError,
    NoVoteError,
    RoomFullError,
    SeatTakenError,
    UnknownRoomError,
    WrongRoomError,
)
from rooms.settings import read_settings
from rooms.start import begin_when_due
from rooms.told import tell_of_closing, tell_of_removal

__all__ = [
    "MAY_CLOSE",
    "change_settings",
    "close_by",
    "close_room",
    "hand_over",
    "leave",
    "open_room",
    "remove",
    "room_with",
    "set_ready",
    "sit_at",
    "vote_for",
]

MAY_CLOSE = "rooms.close_room"
# No signs that are taken for each other, as of parties.
_SIGNS, _LENGTH = "23456789ABCDEFGHJKMNPQRSTUVWXYZ", 10


def open_room(
    *,
    player: Player,
    ladder: Ladder,
    settings: Mapping[str, Any],
    wishes: Mapping[str, Any] | None = None,
) -> Room:
    """Open a room on a ladder, whose host the player is; of a party's leader the whole party comes along.

    Raises ArchivedError, LobbyClosedError, LobbyFullError, WrongRoomError, RoomFullError, PartyJoinsWholeError, and
    what keeps somebody from taking a seat.
    """
    place = place_of(ladder)
    if not place.lobby.is_open:
        raise LobbyClosedError(ladder.game.slug)
    check_by_results(ladder)
    if ladder.is_archived:
        raise ArchivedError(ladder)
    wanted = read_settings(settings, place, None, player.pk)
    check_may_write(player.pk)  # everybody reads its name
    with briefly() as now:
        party = hold_whole_party(player, place)
        together = [player.pk] if party is None else [*party.players]
        if len(together) > (ladder.team_size if wanted["team_choice"] == "seated" else place.seats):
            raise RoomFullError(place.seats)
        hold_players(together)
        check_free(player, together, place)
        if (
            Room.objects.filter(game=ladder.game_id, ended_at=None).count()
            >= place.lobby.most_rooms
        ):
            raise LobbyFullError(place.lobby.most_rooms)
        room = Room.objects.create(
            game_id=ladder.game_id,
            ladder=ladder,
            host=player,
            code=_new_code(),
            team_count=ladder.team_count,
            team_size=ladder.team_size,
            seats=place.seats,
            created_at=now,
            active_at=now,
            **wanted,
        )
        first = [player.pk, *(pk for pk in together if pk != player.pk)]
        members = RoomMember.objects.bulk_create(
            RoomMember(
                room=room,
                player_id=pk,
                seat=seat,
                seats=room.seats,
                joined_at=now,
                seen_at=now,
                wishes=dict(wishes or {}) if pk == player.pk else {},
            )
            for seat, pk in enumerate(first)
        )
        HeldRoom(room, list(members)).tell(Kind.ROOM_OPENED)
    return room


def change_settings(*, room_id: int, by: Player, settings: Mapping[str, Any]) -> Room:
    """Make a room another one, as the host. Whoever does not fit any more stays; everybody sees it where that comes of
    ratings, and the host may remove them. Nobody is ready for what has changed.

    Raises RoomOverError, RoomNotOpenError, NotHostError, WrongRoomError.
    """
    place = _place_of_room(room_id)
    with briefly() as now:
        held = hold_room(room_id)
        held.check_host(by.pk)
        held.check_open()
        wanted = read_settings(settings, place, held.room, by.pk)
        changed = [name for name, value in wanted.items() if getattr(held.room, name) != value]
        if not changed:
            return held.room
        _check_agreed(held, wanted)
        if {"name", "note", "options"} & {*changed}:
            check_may_write(by.pk)
        for name in changed:
            setattr(held.room, name, wanted[name])
        held.nobody_is_ready()
        for one in held.members:
            one.vote = "" if "map_choice" in changed else one.vote
        if "filters" in changed:
            _mark_misfits(held, place)
        RoomMember.objects.bulk_update(held.members, ["vote", "misfit"])
        held.save(now, *changed)
        held.tell(Kind.ROOM_CHANGED)
        begin_when_due(held, now)
    return held.room


def hand_over(*, room_id: int, by: Player, to: int) -> Room:
    """Let another member be host. Raises RoomOverError, NotInRoomError, NotHostError, and CannotPickError for one
    who is suspended or cools off.
    """
    with briefly() as now:
        held = hold_room(room_id)
        held.check_host(by.pk)
        held.member(to)
        if to != held.room.host_id:
            try:
                check_not_kept_out([to], own=to)
            except RefusedError:
                raise CannotPickError(to, as_host=True) from None
            held.room.host_id = to
            held.save(now, "host")
            held.tell(Kind.ROOM_CHANGED)
    return held.room


def remove(*, room_id: int, by: Player, player: int) -> Room:
    """Send a player away for good, as the host; the room takes another code, so that the old one leads nobody back.

    Raises RoomOverError, NotInRoomError, NotHostError, and CannotPickError for the host.
    """
    with briefly() as now:
        held = hold_room(room_id)
        held.check_host(by.pk)
        held.member(player)
        if player == by.pk:
            raise CannotPickError(player)
        held.room.code = _new_code()
        held.room.save(update_fields=["code"])
        part(held, [player], now, removed=True)
        tell_of_removal(held.room, player)
    return held.room


def leave(*, room_id: int, player: Player) -> Room:
    """Leave a room. After the host whoever has sat there longest is host; with the last one it closes.

    Raises RoomOverError, NotInRoomError.
    """
    with briefly() as now:
        held = hold_room(room_id)
        held.member(player.pk)
        part(held, [player.pk], now)
    return held.room


def close_room(*, room_id: int, by: Player) -> Room:
    """Close a room, as its host. Raises RoomOverError, NotInRoomError, NotHostError."""
    with briefly() as now:
        held = hold_room(room_id)
        held.check_host(by.pk)
        close_held(held, now)
    return held.room


def close_by(*, room_id: int, by: User, note: str, reason: str = "") -> Room:
    """Close a room in place of its host, as an operator. Audited; those in it are told, with the reason.

    Raises RoomOverError, and OwnMatterError where an own player is in it.
    """
    with briefly() as now:
        held = hold_room(room_id)
        players = held.players
        check_not_own(by, players, right=MAY_CLOSE)
        audit.record(
            actor=by,
            action="room.closed",
            target=held.room,
            before={"host": held.room.host_id, "players": players, "name": held.room.name},
            after={},
            note=note,
        )
        close_held(held, now)
        tell_of_closing(held.room, players, reason)
    return held.room


def sit_at(*, room_id: int, player: Player, seat: int) -> Room:
    """Take another seat, as somebody who has one. Nobody is ready then: that was for other teams. Raises RoomOverError,
    RoomNotOpenError, NotInRoomError, SeatTakenError.
    """
    with briefly() as now:
        held = hold_room(room_id)
        member = held.member(player.pk)
        held.check_open()
        if seat == member.seat:
            return held.room
        if member.seat is None or seat not in held.free_seats:
            raise SeatTakenError(seat)
        member.seat = seat
        member.save(update_fields=["seat"])
        held.nobody_is_ready()
        held.save(now)
        held.tell(Kind.ROOM_CHANGED)
    return held.room


def set_ready(*, room_id: int, player: Player, is_ready: bool) -> Room:
    """Say that one is ready, or not; with the last one the match may begin. Raises RoomOverError, RoomNotOpenError,
    NotInRoomError.
    """
    with briefly() as now:
        held = hold_room(room_id)
        member = held.member(player.pk)
        held.check_open()
        if member.seat is not None and member.is_ready != is_ready:
            member.is_ready = is_ready
            member.save(update_fields=["is_ready"])
            held.save(now)
            held.tell(Kind.ROOM_CHANGED)
            begin_when_due(held, now)
    return held.room


def vote_for(*, room_id: int, player: Player, map_name: str) -> Room:
    """Vote for a map, as somebody who plays; empty takes the vote back. Raises RoomOverError, NotInRoomError,
    NoVoteError, CannotPickError.
    """
    place = _place_of_room(room_id)
    with briefly() as now:
        held = hold_room(room_id)
        member = held.member(player.pk)
        if held.room.map_choice != MapChoice.VOTE or member.seat is None:
            raise NoVoteError
        if map_name and map_name not in place.maps:
            raise CannotPickError(map_name, place.maps)
        if member.vote != map_name:
            member.vote = map_name
            member.save(update_fields=["vote"])
            held.save(now)
            held.tell(Kind.ROOM_CHANGED)
    return held.room


def room_with(code: str, game_id: int) -> Room:
    """The live room of a game with this code, however it is typed. Raises UnknownRoomError."""
    room = Room.objects.filter(code=plain_code(code), game=game_id, ended_at=None).first()
    if room is None:
        raise UnknownRoomError
    return room


def _check_agreed(held: HeldRoom, wanted: Mapping[str, Any]) -> None:
    """Raise WrongRoomError for what those who have sat down for something else, or do so just now, would have to agree
    to: that the match counts, or that it begins without their being ready.
    """
    room, wrong = held.room, list[Wrong]()
    if wanted["rated"] and not room.rated:  # who sees the room now sits down in a moment
        words = _(
            "This room is for a match that does not count. Open a new room for one that does."
        )
        wrong.append(Wrong(("rated",), words))
    has_others = any(one.player_id != room.host_id for one in held.seated)
    asks_less = room.start_rule == StartRule.READY and wanted["start_rule"] != StartRule.READY
    if has_others and asks_less:
        words = _(
            "Others have sat down where all are to be ready first. Open a new room for another rule."
        )
        wrong.append(Wrong(("start_rule",), words))
    if wrong:
        raise WrongRoomError(wrong)


def _mark_misfits(held: HeldRoom, place: Place) -> None:
    """Note who does not fit any more, but for the host, by what everybody may see: ratings. What a profile or a search
    tells is not noted, nor block lists and conduct: the host could ask for one country, or latency, after the other.
    """
    room = held.room
    others = [one for one in held.members if one.player_id != room.host_id]
    scale = scales_of([place])[place.ladder.pk]
    wishes = {one.player_id: one.wishes for one in held.members}
    found = read_travellers(place, scale, held.players, wishes)
    comers = [found[one.player_id] for one in others]
    refusals = first_refusals(scale, room.filters, found[room.host_id], comers, ())
    for one, refusal in zip(others, refusals, strict=True):
        is_told = refusal is not None and not refusal.is_neutral and refusal.name in BY_RATING
        one.misfit = said_of(refusal)[0] if refusal is not None and is_told else ""


def _place_of_room(room_id: int) -> Place:
    ladders = Ladder.objects.select_related("game")
    ladder = ladders.filter(rooms=room_id).first()
    if ladder is None:
        raise UnknownRoomError
    return place_of(ladder, lobby_of(ladder.game_id))


def _new_code() -> str:
    return "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))
