"""Rooms: opening, coming, going, and what the host may do."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from accounts.models import User
from foundation import clock
from foundation.refusals import RefusedError
from matchmaking.tickets import lifecycle as tickets
from ratings.models import Mode, Sanction, SanctionKind, SuspendedFrom
from ratings.sanctions import impose
from rooms import coming, lifecycle
from rooms.models import Lobby, Room, RoomMember
from tests.matchmaking.hall import NOON
from tests.rooms.lounge import Lounge, check_rooms, make_lounge, refusal_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]


def refused(code: str) -> pytest.RaisesExc[RefusedError]:
    """That what follows is refused with this code."""
    return pytest.raises(RefusedError, check=lambda error: error.code == code)


def forced(rows: QuerySet[Any], change: dict[str, Any]) -> None:
    """Write past all rules, as far as the database lets one."""
    with transaction.atomic():
        rows.update(**change)
        connection.check_constraints()


def test_who_opens_a_room_sits_in_it_and_is_host() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0, name="  Evening   game ", note="be kind", category="serious")
    assert (room.host, room.game, room.name) == (
        lounge.hall.players[0],
        lounge.hall.ladder.game,
        "Evening game",
    )
    assert (room.seats, room.team_count, room.team_size) == (4, 2, 2)
    assert lounge.seats(room) == {0: 0}
    check_rooms()


def test_nobody_is_seated_for_what_counts_or_begins_otherwise_than_agreed() -> None:
    lounge = make_lounge(size=1)
    room = lounge.open(0, rated=False, start_rule="ready")
    rated = {"rated": True, "start_rule": "ready"}
    full = {"rated": False, "start_rule": "full"}

    def change(settings: dict[str, object]) -> None:
        with lounge.hall.at_now():
            lifecycle.change_settings(room_id=room.pk, by=room.host, settings=settings)

    # Who sees it may sit down in the same moment.
    with refused("wrong_room") as refusal:
        change(rated)
    assert "does not count" in str(refusal.value)
    lounge.join(room, 1)
    for settings, words in ((rated, "does not count"), (full, "have sat down")):
        with refused("wrong_room") as refusal:
            change(settings)
        assert words in str(refusal.value)
    assert lounge.reload(room).state == "open"
    lounge.leave(room, 1)
    change(full)
    assert lounge.reload(room).start_rule == "full"
    assert not lounge.reload(room).rated


def test_others_take_the_first_free_seat_or_the_one_they_choose() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0)
    lounge.join(room, 1, seat=3)
    lounge.join(room, 2, 2)  # again: nothing changes
    assert lounge.seats(room) == {0: 0, 1: 2, 3: 1}
    with refused("seat_taken"):
        lounge.join(room, 3, seat=3)
    lounge.join(room, 3)
    with refused("room_full"):
        lounge.join(room, 4)
    check_rooms()


def test_nobody_is_in_two_rooms() -> None:
    lounge = make_lounge(size=2)
    one, other = lounge.open(0), lounge.open(1)
    acts: list[Callable[[], object]] = [
        lambda: lounge.join(other, 0),
        lambda: lounge.open(0),
        lambda: lounge.watch(other, 0),
    ]
    for act in acts:
        with refused("already_in_room") as refusal:
            act()
        assert refusal.value.extra["room"] == one.pk
    check_rooms()


def test_nobody_sits_in_a_room_and_searches() -> None:
    lounge = make_lounge(size=1)
    hall, room = lounge.hall, lounge.open(0)
    with refused("in_room") as refusal:
        hall.join(0)
    assert refusal.value.extra == {"player": hall.players[0].pk, "room": room.pk}
    hall.join(1)
    with refused("already_searching"):
        lounge.join(room, 1)
    with refused("already_searching"):
        lounge.open(1)
    hall.cancel(1)
    lounge.watch(room, 1)
    hall.join(1)  # who only watches may
    with refused("already_searching"):
        lounge.join(room, 1)
    check_rooms()


def test_nobody_who_plays_takes_a_seat() -> None:
    lounge = make_lounge(size=1)
    room = lounge.open(0)
    lounge.hall.put_into_match(1, against=2)
    with refused("already_playing"):
        lounge.join(room, 1)


def test_whoever_was_removed_does_not_come_back() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0)
    lounge.join(room, 1)
    before = lounge.reload(room).code
    lounge.remove(room, 1)
    code = lounge.reload(room).code
    assert code != before
    acts: list[Callable[[], object]] = [
        lambda: lounge.join(room, 1, code=code),
        lambda: lounge.watch(room, 1),
    ]
    for act in acts:
        with refused("removed_from_room"):
            act()
    with pytest.raises(IntegrityError), transaction.atomic():
        RoomMember.objects.filter(player=lounge.hall.players[1]).update(live=True)
    check_rooms()


def test_only_the_host_removes_changes_hands_over_starts_and_closes() -> None:
    lounge = make_lounge(size=1)
    room = lounge.open(0)
    lounge.join(room, 1)
    other, pk = lounge.hall.players[1], room.pk
    acts: list[Callable[[], object]] = [
        lambda: lifecycle.remove(room_id=pk, by=other, player=lounge.hall.players[0].pk),
        lambda: lifecycle.change_settings(room_id=pk, by=other, settings={"note": "mine"}),
        lambda: lifecycle.hand_over(room_id=pk, by=other, to=other.pk),
        lambda: lifecycle.close_room(room_id=pk, by=other),
    ]
    for act in acts:
        with refused("not_host"):
            act()
    lifecycle.hand_over(room_id=pk, by=lounge.hall.players[0], to=other.pk)
    lifecycle.close_room(room_id=pk, by=other)
    assert lounge.reload(room).state == "closed"
    with refused("room_over"):
        lounge.join(room, 2)
    check_rooms()


def test_the_host_who_leaves_hands_over_and_the_last_one_closes() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0)
    lounge.watch(room, 3)
    lounge.join(room, 1)
    lounge.leave(room, 0)
    assert lounge.reload(room).host == lounge.hall.players[1]
    lounge.leave(room, 1)
    assert lounge.reload(room).host == lounge.hall.players[3]
    check_rooms()
    lounge.leave(room, 3)
    assert lounge.reload(room).state == "closed"
    check_rooms()


def test_the_database_holds_what_must_never_be() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0)
    lounge.join(room, 1)
    lounge.watch(room, 2)
    members = RoomMember.objects.filter(room=room, player=lounge.hall.players[1])
    changes: list[dict[str, Any]] = [{"seat": 0}, {"seat": 4}, {"seats": 5}]
    for change in changes:
        with pytest.raises(IntegrityError):
            forced(members, change)
    changes = [{"host": lounge.hall.players[5]}, {"state": "started"}, {"state": "closed"}]
    for change in changes:
        with pytest.raises(IntegrityError):
            forced(Room.objects.filter(pk=room.pk), change)


def test_a_party_comes_whole_or_not_at_all() -> None:
    lounge = make_lounge(10, size=3)
    hall = lounge.hall
    room = lounge.open(0)
    hall.gather(1, 2)
    with refused("party_joins_whole"):
        lounge.join(room, 2)
    lounge.join(room, 1)
    assert lounge.seats(room) == {0: 0, 1: 1, 2: 2}
    hall.gather(3, 4)
    other = lounge.open(5)
    lounge.join(other, 6)
    hall.gather(7, 8)
    lounge.join(other, 7)  # its first team has only one seat left: they stay together in the second
    assert lounge.seats(other) == {0: 5, 1: 6, 3: 7, 4: 8}
    lounge.join(room, 9)
    lounge.join(room, 3)
    with refused("room_full"):
        lounge.hall.gather(5)
        lounge.leave(other, 5)
        lounge.join(room, 5)
    check_rooms()


def test_of_a_party_nobody_comes_where_one_cannot() -> None:
    lounge = make_lounge(size=2)
    lounge.hall.gather(1, 2)
    lounge.hall.put_into_match(2, 3, against=[4, 5])
    room = lounge.open(0)
    with refused("member_playing"):
        lounge.join(room, 1)
    assert lounge.seats(room) == {0: 0}


def test_a_member_of_a_room_cannot_be_searched_for_by_a_party() -> None:
    lounge = make_lounge(size=2)
    party = lounge.hall.gather(1, 2)
    room = lounge.open(0)
    lounge.join(room, 1)
    with refused("in_room"):
        tickets.join(queue=lounge.hall.queue, player=lounge.hall.players[1], party=party)


def test_the_code_lets_people_in() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0, access="code")
    with refused("room_refuses") as refusal:
        lounge.join(room, 1)
    assert refusal_of(refusal.value) == ("room_refuses", "code")
    lounge.join(room, 1, code=room.code)
    assert lounge.seats(room) == {0: 0, 1: 1}
    assert lifecycle.room_with(f" {room.code[:5].lower()}-{room.code[5:]}", room.game_id) == room
    with refused("unknown_room"):
        lifecycle.room_with("nothing", room.game_id)


def test_suspended_players_take_no_seat_and_lose_theirs(
    django_capture_on_commit_callbacks: Any,
) -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0)
    lounge.join(room, 1)
    by = User.objects.create_superuser("admin")
    with django_capture_on_commit_callbacks(execute=True):
        impose(
            player=lounge.hall.players[1],
            kind=SanctionKind.SUSPENDED,
            suspended_from=SuspendedFrom.SEARCHING,
            reason="x",
            by=by,
        )
    assert lounge.seats(room) == {0: 0}
    with refused("suspended"):
        lounge.join(room, 1)
    assert Sanction.objects.count() == 1


def test_a_closed_lobby_and_a_full_one_take_no_rooms() -> None:
    lounge = make_lounge(size=1)
    lobby = Lobby.objects.create(game=lounge.hall.ladder.game, is_open=False)
    with refused("rooms_closed"):
        lounge.open(0)
    Lobby.objects.filter(pk=lobby.pk).update(is_open=True, most_rooms=1)
    lounge.open(0)
    with refused("too_many_rooms"):
        lounge.open(1)


def test_settings_are_checked_each_by_name() -> None:
    lounge = make_lounge(size=1)
    with refused("wrong_room") as refusal:
        lounge.open(
            0,
            name="x",
            category="nowhere",
            access="nobody",
            team_choice="draft",
            map_choice="veto",
            options=["a"] * 11,
            filters={"rating": {"low": 3, "high": 1}, "luck": 1},
            colour="red",
        )
    pointers = {one.pointer for one in getattr(refusal.value, "wrong", ())}
    assert pointers == {
        "#/name", "#/category", "#/access", "#/team_choice", "#/map_choice", "#/options",
        "#/filters/rating", "#/filters/luck", "#/colour",
    }  # fmt: skip


def test_names_hold_no_word_that_the_game_refuses() -> None:
    lounge = make_lounge()
    game = lounge.hall.ladder.game
    game.refused_words = "weeds"
    game.save()
    lounge.hall.ladder.game.refresh_from_db()
    with refused("wrong_room"):
        lounge.open(0, name="We eds")
    with refused("wrong_room"):
        lounge.open(0, note="we like WEEDS")


def test_ratings_are_no_filter_on_a_normal_ladder() -> None:
    lounge = make_lounge(mode=Mode.NORMAL)
    for filters in ({"rating": {"low": 1}}, {"chance": 0.1}, {"established": True}):
        with refused("wrong_room"):
            lounge.open(0, filters=filters)


def test_members_who_no_longer_fit_stay_and_are_marked() -> None:
    lounge = make_lounge(size=2)
    lounge.hall.rate({0: 1500, 1: 1700, 2: 1500})
    room = lounge.open(0)
    lounge.join(room, 1, 2)
    lounge.ready(room, 1)
    with lounge.hall.at_now():
        lifecycle.change_settings(
            room_id=room.pk,
            by=lounge.hall.players[0],
            settings={"filters": {"rating": {"high": 1600}}},
        )
    misfits = {one.player_id: one.misfit for one in RoomMember.objects.all()}
    assert [misfits[player.pk] for player in lounge.hall.players[:3]] == ["", "rating", ""]
    assert not RoomMember.objects.filter(is_ready=True).exists()
    assert lounge.seats(room) == {0: 0, 1: 1, 2: 2}


def test_seats_are_changed_and_given_up() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0)
    lounge.join(room, 1)
    with clock.at(NOON):
        lifecycle.sit_at(room_id=room.pk, player=lounge.hall.players[0], seat=3)
        with refused("seat_taken"):
            lifecycle.sit_at(room_id=room.pk, player=lounge.hall.players[0], seat=1)
        coming.watch(room_id=room.pk, player=lounge.hall.players[1])
    assert lounge.seats(room) == {3: 0}
    assert Lounge(lounge.hall).seats(room) == {3: 0}
    check_rooms()
