"""The lists of rooms: those that a player may join, all with the reason why not, and those in which friends are.

The newest first: no order tells anything of ratings. So many queries, whatever the number of rooms.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from foundation.names import skeleton_of
from groups.read import own_group_ids
from matchmaking.kept_apart import kept_out_by
from people.may import presence_shown
from people.ties import friend_ids
from ratings.models import Player
from rooms.coming import closed_to
from rooms.filters.judge import first_refusals
from rooms.filters.travellers import read_many, scales_of
from rooms.filters.words import reason_of, said_of
from rooms.models import Room, RoomMember, RoomState
from rooms.places import lobby_of, places_of

__all__ = ["LISTS", "ListedRoom", "Wish", "reasons_against", "rooms_for_servers", "rooms_listed"]

LISTS = ("joinable", "all", "friends")
_MOST = 1000  # rooms that are looked through


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be listed. `before`: only rooms with a lower number, for the next page."""

    which: str = "joinable"
    category: str = ""
    ladder: str = ""
    text: str = ""
    before: int | None = None


@dataclass(frozen=True, slots=True)
class ListedRoom:
    """A room in a list. `reason`: why the player may not come in; empty: may. `is_own`: is in it."""

    room: Room
    seated: int
    watching: int
    reason: str
    is_own: bool

    @property
    def reason_words(self) -> str:
        """The reason in words; empty for none."""
        return reason_of(self.reason) if self.reason else ""


def rooms_listed(player: Player, wish: Wish, most: int) -> tuple[list[ListedRoom], int | None]:
    """A page of rooms of the player's game, and before which number the next begins; None after the last.

    Nineteen queries at most.
    """
    rooms = list(_asked(player.game_id, wish)[:_MOST])
    members: defaultdict[int, list[RoomMember]] = defaultdict(list)
    for one in RoomMember.objects.filter(room__in=rooms, live=True).order_by("pk"):
        members[one.room_id].append(one)
    friends = friend_ids(player.pk)
    reasons = reasons_against(player, rooms, members, friends)
    shown = presence_shown(player.pk, friends) if wish.which == "friends" and friends else set()
    found: list[ListedRoom] = []
    for room in rooms:
        its = members[room.pk]
        is_own = any(one.player_id == player.pk for one in its)
        if wish.which == "joinable" and reasons[room.pk] and not is_own:
            continue
        if wish.which == "friends" and not any(one.player_id in shown for one in its):
            continue
        seated = sum(one.seat is not None for one in its)
        reason = "" if is_own else reasons[room.pk]
        found.append(ListedRoom(room, seated, len(its) - seated, reason, is_own))
        if len(found) > most:
            return found[:most], found[most - 1].room.pk
    return found, None


def rooms_for_servers(game_id: int, wish: Wish, most: int) -> tuple[list[ListedRoom], int | None]:
    """The same for a game's servers, which come in nowhere: all rooms. Two queries."""
    rooms = list(_asked(game_id, wish)[: most + 1])
    here = RoomMember.objects.filter(room__in=rooms, live=True)
    counted = here.values("room").annotate(sitting=Count("seat"), everyone=Count("pk")).order_by()
    by_room = {row["room"]: (row["sitting"], row["everyone"]) for row in counted}
    found = []
    for room in rooms:
        seated, everyone = by_room.get(room.pk, (0, 0))
        found.append(ListedRoom(room, seated, everyone - seated, "", is_own=False))
    return found[:most], found[most - 1].room.pk if len(found) > most else None


def reasons_against(
    player: Player,
    rooms: Sequence[Room],
    members: Mapping[int, Sequence[RoomMember]],
    friends: Collection[int],
    *,
    code: str = "",
) -> dict[int, str]:
    """Why the player may not come into each of these rooms of the game; empty where that is allowed. `code`: which the
    player has, of a room that only some may join.
    """
    ladders = {room.ladder_id: room.ladder for room in rooms}
    if not ladders:
        return {}
    everyone = {one.player_id for its in members.values() for one in its} - {player.pk}
    places = places_of(ladders.values(), lobby_of(player.game_id))
    scales = scales_of(places.values())
    of_ladder: defaultdict[int, set[int]] = defaultdict(set)
    wishes = {}
    for room in rooms:
        of_ladder[room.ladder_id] |= {room.host_id, player.pk}
        for one in members[room.pk]:
            if one.player_id == room.host_id and one.wishes:
                wishes[room.ladder_id, room.host_id] = one.wishes
    found = read_many(list(places.values()), scales, of_ladder, wishes)
    kept_out = kept_out_by([player.pk], everyone, asking=player.pk)
    by = {other for _own, other in kept_out}
    removed = RoomMember.objects.filter(
        Q(player=player) | Q(player__merged_into=player), room__in=rooms, removed=True
    )
    gone = set(removed.values_list("room", flat=True))
    groups = own_group_ids(player.pk) if any(room.group_id for room in rooms) else set()
    reasons = {}
    for room in rooms:
        its = members[room.pk]
        reason = "removed" if room.pk in gone else _closed(room, its, player, friends, groups)
        if code == room.code and reason in {"code", "friends", "group"}:
            reason = ""
        if not reason:
            key = room.ladder_id, player.pk
            host = found[room.ladder_id, room.host_id]
            playing = {one.player_id for one in its if one.seat is not None} | {room.host_id}
            is_kept_out = not by.isdisjoint(playing)
            (refusal,) = first_refusals(
                scales[room.ladder_id],
                room.filters,
                host,
                [found[key]],
                [player.pk] if is_kept_out else [],
            )
            reason = "" if refusal is None else said_of(refusal)[0]
        reasons[room.pk] = reason
    return reasons


def _closed(
    room: Room,
    members: Iterable[RoomMember],
    player: Player,
    friends: Collection[int],
    groups: Collection[int],
) -> str:
    """A reason that everybody may know."""
    if room.state != RoomState.OPEN:
        return "starting"
    known = [player.pk] if room.host_id in friends else []
    fellows = [player.pk] if room.group_id in groups else []
    if reason := closed_to(room, [player.pk], known, fellows):
        return reason
    return "full" if sum(one.seat is not None for one in members) >= room.seats else ""


def _asked(game_id: int, wish: Wish) -> QuerySet[Room]:
    rooms = Room.objects.filter(game=game_id, ended_at=None, ladder__archived_at=None)
    if wish.category:
        rooms = rooms.filter(category=wish.category)
    if wish.ladder:
        rooms = rooms.filter(ladder__slug=wish.ladder)
    if wish.text:
        looks = skeleton_of(wish.text)
        words = Q(name__icontains=wish.text) | Q(note__icontains=wish.text)
        rooms = rooms.filter(words | Q(host__skeleton__contains=looks))
    if wish.before is not None:
        rooms = rooms.filter(pk__lt=wish.before)
    return rooms.select_related("ladder__game", "game", "host").order_by("-pk")
