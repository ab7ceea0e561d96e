"""How a room becomes a match: teams, captains, maps, and exactly one start."""

from datetime import timedelta

import numpy as np
import pytest

from foundation.refusals import RefusedError
from matchmaking.models import ConductStanding
from matchmaking.pairing.maps_and_sides.lots import draw_lots
from ratings.models import Match, Mode, Rating
from rooms import lifecycle, start, tend
from rooms.held import hold_room
from rooms.models import Lobby, Room, RoomMember
from rooms.places import place_of
from rooms.teams import APART, draft_order, line_up
from tests.rooms.lounge import Lounge, check_rooms, make_lounge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]
MAPS = {"maps": {"names": "River; Canyon; Lake"}}
# The sources' golden case.
GOLDEN = {0: 2000.0, 1: 1000.0, 2: 400.0, 3: 300.0, 4: 200.0, 5: 100.0}


def refused(code: str) -> pytest.RaisesExc[RefusedError]:
    """That what follows is refused with this code."""
    return pytest.raises(RefusedError, check=lambda error: error.code == code)


def filled(lounge: Lounge, number: int, **settings: object) -> Room:
    """A room in which so many sit."""
    room = lounge.open(0, **settings)
    return lounge.join(room, *range(1, number))


def test_the_host_starts_a_full_room_once() -> None:
    lounge = make_lounge(size=1)
    room = lounge.open(0)
    with refused("room_not_ready"):
        lounge.start(room)
    lounge.join(room, 1)
    started = lounge.start(room)
    assert started.state == "started"
    assert {frozenset(team) for team in lounge.teams(room)} == {frozenset({0}), frozenset({1})}
    with refused("room_over") as refusal:
        lounge.start(room)
    assert refusal.value.extra["match"] == started.match_id
    assert Match.objects.count() == 1
    check_rooms()


def test_a_room_can_start_when_it_is_full_or_all_are_ready() -> None:
    lounge = make_lounge(size=1)
    room = lounge.open(0, start_rule="full")
    assert lounge.join(room, 1).state == "started"
    other = lounge.open(2, start_rule="ready")
    lounge.join(other, 3)
    assert lounge.ready(other, 2).state == "open"
    with refused("room_not_ready"):
        lounge.start(other)
    assert lounge.ready(other, 3).state == "started"


def test_as_seated_teams_are_the_seats() -> None:
    lounge = make_lounge(size=2)
    room = lounge.open(0)
    lounge.join(room, 1, seat=2)
    lounge.join(room, 2, seat=1)
    lounge.join(room, 3)
    lounge.start(room)
    assert {frozenset(team) for team in lounge.teams(room)} == {
        frozenset({0, 2}),
        frozenset({1, 3}),
    }


def test_the_engine_balances_by_the_sources_rule() -> None:
    lounge = make_lounge(size=3, settings={"teams": {"split": "sources"}})
    lounge.hall.rate(GOLDEN)
    room = filled(lounge, 6, team_choice="balanced")
    lounge.start(room)
    assert {frozenset(team) for team in lounge.teams(room)} == {
        frozenset({0, 4, 5}),
        frozenset({1, 2, 3}),
    }


def test_balanced_teams_keep_parties_together() -> None:
    lounge = make_lounge(size=2)
    lounge.hall.rate({0: 1900, 1: 1800, 2: 1000, 3: 1000})
    lounge.hall.gather(0, 1)
    room = lounge.open(0, team_choice="balanced")
    lounge.join(room, 2, 3)
    lounge.start(room)
    assert frozenset({0, 1}) in {frozenset(team) for team in lounge.teams(room)}


def test_on_a_normal_ladder_teams_are_not_balanced() -> None:
    """Where a stranger stands among three of known strength would be read from the teams."""
    lounge = make_lounge(4, size=2, mode=Mode.NORMAL)
    with refused("wrong_room"):
        lounge.open(0, team_choice="balanced")
    room = filled(lounge, 4, team_choice="draft")
    Room.objects.filter(pk=room.pk).update(team_choice="balanced")  # opened when that could be
    first, second, third, fourth = (player.pk for player in lounge.hall.players)
    as_seated = {frozenset({first, second}), frozenset({third, fourth})}
    for values in ((1000.0, 1100.0, 1200.0, 1900.0), (1900.0, 1800.0, 1200.0, 1100.0)):
        Rating.objects.all().delete()
        lounge.hall.rate(dict(enumerate(values)))
        held, place = hold_room(room.pk), place_of(lounge.hall.ladder)
        assert {frozenset(team) for team in line_up(held, place, "").teams} == as_seated
    with lounge.hall.at_now():
        host, settings = lounge.hall.players[0], {"note": "Be kind."}
        lifecycle.change_settings(room_id=room.pk, by=host, settings=settings)
    assert lounge.reload(room).team_choice == "seated"


def test_captains_pick_there_and_back_again() -> None:
    assert draft_order([7, 9], 8) == [7, 9, 9, 7, 7, 9, 9, 7]
    assert draft_order([1, 2, 3], 6) == [1, 2, 3, 3, 2, 1]


def test_the_weaker_captain_picks_first() -> None:
    lounge = make_lounge(size=3)
    lounge.hall.rate({number: 1000.0 + 100 * number for number in range(6)})
    room = lounge.start(filled(lounge, 6, team_choice="draft"))
    assert room.state == "drafting"  # the two strongest, 4 and 5, are captains
    with refused("not_your_turn"):
        lounge.pick(room, 5, 0)
    with refused("cannot_pick"):
        lounge.pick(room, 4, 5)
    with refused("room_not_open"):
        lounge.join(room, 6)
    lounge.pick(room, 4, 3)
    lounge.pick(room, 5, 2)
    lounge.pick(room, 5, 1)
    with refused("not_your_turn"):
        lounge.pick(room, 5, 0)
    assert lounge.pick(room, 4, 0).state == "started"
    assert {frozenset(team) for team in lounge.teams(room)} == {
        frozenset({4, 3, 0}),
        frozenset({5, 2, 1}),
    }
    check_rooms()


def test_the_host_may_choose_captains() -> None:
    lounge = make_lounge(size=2)
    lounge.hall.rate({number: 1000.0 + 100 * number for number in range(4)})
    room = filled(lounge, 4, team_choice="draft")
    with refused("cannot_pick"):
        lounge.start(room, 0)
    room = lounge.start(room, 1, 0)
    lounge.pick(room, 0, 2)  # the weaker of the two
    assert lounge.pick(room, 1, 3).state == "started"


def test_on_a_normal_ladder_captains_tell_no_rating() -> None:
    orders = []
    for values in ((1000.0, 1100.0, 1200.0, 1300.0), (1900.0, 1800.0, 1200.0, 1300.0)):
        lounge = make_lounge(4, size=2, mode=Mode.NORMAL)
        lounge.hall.rate(dict(enumerate(values)))
        room = lounge.start(filled(lounge, 4, team_choice="draft"))
        heads = RoomMember.objects.filter(room=room, picked=0).order_by("team")
        numbers = [lounge.numbers[pk] for pk in heads.values_list("player", flat=True)]
        orders.append((numbers, room.pk, [player.pk for player in lounge.hall.players]))
    # The same lots as if nobody had a rating: what they are drawn from are numbers of rooms and players alone.
    for numbers, room_pk, players in orders:
        lots = draw_lots(np.array(players) + room_pk * APART)
        drawn = np.argsort(lots).tolist()
        assert numbers == drawn[:2][::-1]


def test_who_lets_the_clock_run_out_has_picked_by_rule() -> None:
    lounge = make_lounge(size=2)
    Lobby.objects.create(game=lounge.hall.ladder.game, turn_seconds=10)
    lounge.hall.rate({number: 1000.0 + 100 * number for number in range(4)})
    room = lounge.start(filled(lounge, 4, team_choice="draft"))
    lounge.hall.wait(9)
    with lounge.hall.at_now():
        assert tend.tend_rooms() == 0
    lounge.hall.wait(2)
    with refused("not_your_turn"):
        lounge.pick(room, 2, 0)  # too late
    with lounge.hall.at_now():
        assert tend.tend_rooms() == 1
    assert lounge.pick(room, 3, 0).state == "started"
    assert {frozenset(team) for team in lounge.teams(room)} == {
        frozenset({2, 1}),
        frozenset({3, 0}),
    }


def test_a_room_is_open_again_when_somebody_leaves_the_draft() -> None:
    lounge = make_lounge(size=2)
    room = lounge.start(filled(lounge, 4, team_choice="draft"))
    lounge.leave(room, 3)
    room = lounge.reload(room)
    assert (room.state, room.turn_ends_at) == ("open", None)
    assert not RoomMember.objects.filter(room=room, live=True, team__isnull=False).exists()
    check_rooms()
    lounge.join(room, 4)
    assert lounge.start(room).state == "drafting"


def test_maps_are_struck_out_in_turns() -> None:
    lounge = make_lounge(size=1, settings=MAPS)
    room = lounge.start(filled(lounge, 2, map_choice="veto"))
    assert room.state == "starting"
    with refused("not_your_turn"):
        lounge.strike(room, 1, "River")
    with refused("cannot_pick") as said:
        lounge.strike(room, 0, "Ocean")
    assert said.value.extra == {"picked": "Ocean", "maps": ["River", "Canyon", "Lake"]}
    with refused("no_vote"):
        lifecycle.vote_for(room_id=room.pk, player=lounge.hall.players[0], map_name="Lake")
    lounge.strike(room, 0, "River")
    room = lounge.strike(room, 1, "Lake")
    assert (room.state, room.map) == ("started", "Canyon")
    assert Match.objects.get().map == "Canyon"


@pytest.mark.parametrize(("left", "played"), [("", ""), ("Lake", "Lake")])
def test_maps_that_the_operator_takes_away_meanwhile_keep_nobody_waiting(
    left: str, played: str
) -> None:
    lounge = make_lounge(size=1, settings=MAPS)
    room = lounge.start(filled(lounge, 2, map_choice="veto"))
    lounge.strike(room, 0, "River")
    queue = lounge.hall.queue
    queue.settings = {"maps": {"names": left}}
    queue.save(update_fields=["settings"])
    lounge.hall.wait(31)
    with lounge.hall.at_now():
        tend.tend_rooms()
    room = lounge.reload(room)
    assert (room.state, room.map) == ("started", played)


def test_whoever_has_to_cool_off_before_the_last_pick_loses_the_seat() -> None:
    lounge = make_lounge(size=2)
    room = lounge.start(filled(lounge, 4, team_choice="draft"), 0, 1)
    seated = list(RoomMember.objects.filter(room=room).order_by("seat"))
    first = lounge.numbers[start.whose_turn(room, seated) or 0]
    lounge.pick(room, first, 2)
    ConductStanding.objects.create(
        player=lounge.hall.players[3],
        cooling_until=lounge.hall.now + timedelta(minutes=10),
        as_of=lounge.hall.now,
    )
    with refused("not_available"):
        lounge.pick(room, 1 - first, 3)
    assert lounge.reload(room).state == "open"
    assert set(lounge.seats(room).values()) == {0, 1, 2}
    assert not Match.objects.exists()
    check_rooms()


def test_the_map_of_a_vote_is_that_of_most() -> None:
    lounge = make_lounge(size=2, settings=MAPS)
    room = filled(lounge, 4, map_choice="vote")
    for number, name in ((0, "Lake"), (1, "River"), (2, "Lake")):
        lifecycle.vote_for(room_id=room.pk, player=lounge.hall.players[number], map_name=name)
    with refused("cannot_pick"):
        lifecycle.vote_for(room_id=room.pk, player=lounge.hall.players[3], map_name="Ocean")
    lounge.start(room)
    assert Match.objects.get().map == "Lake"


def test_the_host_chooses_the_map() -> None:
    lounge = make_lounge(size=1, settings=MAPS)
    with refused("wrong_room"):
        lounge.open(0, map_choice="host", map="Ocean")
    lounge.start(filled(lounge, 2, map_choice="host", map="River"))
    assert Match.objects.get().map == "River"


def test_who_has_begun_to_play_elsewhere_loses_the_seat_and_the_others_wait_on() -> None:
    lounge = make_lounge(size=1)
    room = filled(lounge, 2)
    lounge.hall.put_into_match(1, against=5)
    with refused("already_playing"):
        lounge.start(room)
    assert lounge.seats(room) == {0: 0}
    assert lounge.reload(room).state == "open"
    check_rooms()
    lounge.join(room, 2)
    assert lounge.start(room).state == "started"


def test_the_clock_frees_the_seats_of_those_who_play_or_are_silent() -> None:
    lounge = make_lounge(size=2)
    room = filled(lounge, 3)
    lounge.hall.put_into_match(1, 6, against=[4, 5])
    lounge.hall.wait(100)
    with lounge.hall.at_now():
        tend.beat(lounge.hall.players[0].pk)
        tend.tend_rooms()
    assert lounge.seats(room) == {0: 0, 2: 2}
    lounge.hall.wait(50)
    with lounge.hall.at_now():
        tend.tend_rooms()
    assert lounge.seats(room) == {0: 0}
    check_rooms()


def test_an_idle_room_closes() -> None:
    lounge = make_lounge(size=2)
    Lobby.objects.create(game=lounge.hall.ladder.game, idle_minutes=5)
    room = filled(lounge, 2)
    for minutes, state in ((4, "open"), (2, "closed")):
        lounge.hall.wait(timedelta(minutes=minutes).total_seconds())
        with lounge.hall.at_now():
            for number in range(2):
                tend.beat(lounge.hall.players[number].pk)
            tend.tend_rooms()
        assert lounge.reload(room).state == state
    check_rooms()


def test_whose_turn_it_is_nobodys_in_an_open_room() -> None:
    lounge = make_lounge(size=2)
    room = filled(lounge, 4)
    members = list(RoomMember.objects.filter(room=room).order_by("seat"))
    assert start.whose_turn(lounge.reload(room), members) is None
