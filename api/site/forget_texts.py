"""Texts that players write to each other, of which one or who is named there is taken out of the site: notes of
challenges, names and notes of rooms and groups, also in notices, and lines of talk.

What the person has written is emptied. In what others have written in the person's games its name is replaced, and the
rest stays.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import AuditEntry
from api.site.forget_cases import cut_column
from api.site.forget_words import forget_in_audit_log
from api.site.naming import REMOVED, Naming
from api.site.taken import Taken
from challenges.models import Challenge
from challenges.models.challenges import LONGEST_NOTE
from events.kinds import Kind
from foundation.postgresql.transactions import briefly
from groups.models import Group, Membership
from notifications.models import Notice
from ratings.models import Match, Player
from rooms.filters.declared import OF_QUEUES
from rooms.held import hold_room
from rooms.models import Room
from rooms.refusals import RoomOverError
from talk.models import LONGEST_LINE, Line

__all__ = [
    "empty_groups_of",
    "empty_live_rooms",
    "empty_rooms_of",
    "forget_in_texts",
    "groups_naming",
    "hold_rooms_naming",
]

# Filters that once took any words.
_TEXTS = ("languages", *OF_QUEUES)
_LONGEST_NAME, _LONGEST_ROOM_NOTE = 60, 200  # of rooms, and of groups


def empty_live_rooms(player: Player) -> None:
    """Before the player leaves them to another host, who may write something else: each in a transaction of its own."""
    for pk in Room.objects.filter(host=player, ended_at=None).values_list("pk", flat=True):
        with briefly() as now:
            try:
                held = hold_room(pk)
            except RoomOverError:
                continue
            if held.room.host_id == player.pk:
                room = held.room
                room.name, room.note, room.options = REMOVED, "", []
                room.filters = _without_words(room.filters)
                held.save(now, "name", "note", "options", "filters")
                held.tell(Kind.ROOM_CHANGED)


def empty_rooms_of(player: Player, taken: Taken) -> None:
    """What a host has written is the host's; of a started room the match stays."""
    hosted = Room.objects.filter(host=player).exclude(ended_at=None)
    taken.replace(hosted, name=REMOVED, note="", options=[])
    for pk, filters in list(
        hosted.filter(filters__has_any_keys=_TEXTS).values_list("pk", "filters")
    ):
        taken.replace(Room.objects.filter(pk=pk), filters=_without_words(filters))
    rooms = list(Room.objects.filter(host=player).values_list("pk", flat=True))
    told = Notice.objects.filter(kind__startswith="room.", data__room__in=rooms)
    _cut_notices(told, lambda text: REMOVED if text else "", taken)
    closed = AuditEntry.objects.filter(action="room.closed", before__host=player.pk)
    forget_in_audit_log(closed, taken)


def empty_groups_of(player: Player, taken: Taken) -> None:
    """What an owner has written is the owner's: the next one finds another name. A random group needs none."""
    shared = Membership.objects.exclude(player=player).values("group")  # others end with the player
    owned = Group.objects.filter(owner=player, pk__in=shared)
    groups = list(owned.exclude(name="").values_list("pk", flat=True))
    told = Notice.objects.filter(kind__startswith="group.", data__group__in=groups)
    _cut_notices(told, lambda text: REMOVED if text else "", taken)
    taken.replace(owned.filter(is_drawn=True), name="", note="")
    taken.replace(owned.filter(is_drawn=False), name=REMOVED, note="")


def hold_rooms_naming(players: Sequence[Player], naming: Naming) -> None:
    """Lock rooms whose texts are going to be changed: rows of rooms come before those of players."""
    rows = Room.objects.filter(pk__in=_naming(_rooms_near(players), naming)).order_by("pk")
    list(rows.select_for_update(no_key=True, of=("self",)).values_list("pk"))


def groups_naming(players: Sequence[Player], naming: Naming) -> list[int]:
    """Numbers of groups whose texts are going to be changed."""
    return _naming(_groups_near(players), naming)


def forget_in_texts(players: Sequence[Player], naming: Naming, taken: Taken) -> None:
    """What the person is called in what others wrote in the same games."""
    games = {one.game_id for one in players}
    challenges = Challenge.objects.filter(ladder__game__in=games)
    cut_column(challenges, "note", LONGEST_NOTE, naming, taken)
    for rows in (_rooms_near(players), _groups_near(players)):
        cut_column(rows, "name", _LONGEST_NAME, naming, taken)
        cut_column(rows, "note", _LONGEST_ROOM_NOTE, naming, taken)
    _cut_options(_rooms_near(players), naming, taken)
    _cut_filters(_rooms_near(players), naming, taken)
    _cut_guests(Match.objects.filter(game__in=games), naming, taken)
    cut_column(Line.objects.filter(game__in=games), "text", LONGEST_LINE, naming, taken)
    _forget_closed_rooms(naming, taken)
    told = Notice.objects.filter(player__game__in=games)
    told = told.filter(Q(kind__startswith="room.") | Q(kind__startswith="group."))
    _cut_notices(told, naming.cut_from, taken)


def _rooms_near(players: Sequence[Player]) -> QuerySet[Room]:
    return Room.objects.filter(game__in={one.game_id for one in players})


def _groups_near(players: Sequence[Player]) -> QuerySet[Group]:
    """Of the same games, and of all."""
    return Group.objects.filter(Q(game=None) | Q(game__in={one.game_id for one in players}))


def _naming(rows: QuerySet[Room] | QuerySet[Group], naming: Naming) -> list[int]:
    columns = ("name", "note", "options", "filters") if rows.model is Room else ("name", "note")
    return [
        pk
        for pk, *texts in rows.values_list("pk", *columns)
        if any(naming.are_in(str(text)) for text in texts)
    ]


def _cut_options(rooms: QuerySet[Room], naming: Naming, taken: Taken) -> None:
    for pk, options in list(rooms.exclude(options=[]).values_list("pk", "options")):
        if any(map(naming.are_in, options)):
            cut = list(dict.fromkeys(map(naming.cut_from, options)))
            taken.replace(Room.objects.filter(pk=pk), options=cut)


def _cut_guests(matches: QuerySet[Match], naming: Naming, taken: Taken) -> None:
    """Whom games have named as guests of matches."""
    for pk, guests in list(matches.exclude(guests=[]).values_list("pk", "guests").iterator()):
        if any(naming.are_in(guest["name"]) for guest in guests):
            cut = [{**guest, "name": naming.cut_from(guest["name"])[:60]} for guest in guests]
            taken.replace(Match.objects.filter(pk=pk), guests=cut)


def _cut_filters(rooms: QuerySet[Room], naming: Naming, taken: Taken) -> None:
    """Words of hosts, from when rooms took any."""
    asking = rooms.filter(filters__has_any_keys=_TEXTS)
    for pk, filters in list(asking.values_list("pk", "filters")):
        if any(naming.are_in(str(filters[name])) for name in _TEXTS if name in filters):
            taken.replace(Room.objects.filter(pk=pk), filters=_without_words(filters))


def _without_words(filters: Mapping[str, Any]) -> dict[str, Any]:
    """The filters but for words, and what goes with them."""
    return {name: value for name, value in filters.items() if name not in (*_TEXTS, "latency")}


def _cut_notices(told: QuerySet[Notice], cut: Callable[[str], str], taken: Taken) -> None:
    """What rooms and groups are called where others are told of them, and why one was closed."""
    for pk, data in list(told.values_list("pk", "data")):
        texts = {name: cut(str(data[name])) for name in ("name", "reason") if name in data}
        if any(data[name] != text for name, text in texts.items()):
            taken.replace(Notice.objects.filter(pk=pk), data={**data, **texts})


def _forget_closed_rooms(naming: Naming, taken: Taken) -> None:
    """What the audit log tells of rooms that an operator has closed, which were called by the person's name."""
    closed = AuditEntry.objects.filter(action="room.closed", before__has_key="name")
    named = [pk for pk, name in closed.values_list("pk", "before__name") if naming.are_in(name)]
    forget_in_audit_log(AuditEntry.objects.filter(pk__in=named), taken)
