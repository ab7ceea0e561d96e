"""Who may take a seat in a room: friends, nobody who is blocked or cools off, whoever has the tags."""

from datetime import timedelta

import pytest

from foundation.countries import COUNTRIES
from foundation.refusals import RefusedError
from matchmaking import avoid_list
from matchmaking.models import ConductStanding, PartyMember
from people.befriend import befriend
from people.blocks import block
from people.models import Tag
from people.profiles import tell as tell_of_oneself
from ratings.models import Sanction, SanctionKind, SuspendedFrom
from rooms import lifecycle
from rooms.listing import Wish, rooms_listed
from rooms.models import RoomMember
from rooms.presence import rooms_of
from tests.matchmaking.hall import NOON
from tests.rooms.lounge import make_lounge, refusal_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]


def refused(code: str) -> pytest.RaisesExc[RefusedError]:
    """That what follows is refused with this code."""
    return pytest.raises(RefusedError, check=lambda error: error.code == code)


def test_a_room_for_friends_lets_friends_in() -> None:
    lounge = make_lounge(size=2)
    players = lounge.hall.players
    befriend(player=players[0], other=players[1])
    befriend(player=players[1], other=players[0])
    room = lounge.open(0, access="friends")
    with refused("room_refuses") as refusal:
        lounge.join(room, 2)
    assert refusal_of(refusal.value) == ("room_refuses", "friends")
    lounge.join(room, 1)
    lounge.join(room, 2, code=room.code)  # invited
    assert lounge.seats(room) == {0: 0, 1: 1, 2: 2}
    found, _next = rooms_listed(players[1], Wish(which="friends"), 10)
    assert [one.room for one in found] == [room]
    assert rooms_listed(players[3], Wish(which="friends"), 10) == ([], None)
    (listed,), _next = rooms_listed(players[3], Wish(which="all"), 10)
    assert listed.reason == "friends"


def test_blocks_count_as_much_as_the_avoid_list() -> None:
    lounge = make_lounge(size=2)
    players = lounge.hall.players
    room = lounge.open(0)
    block(player=players[0], other=players[1])
    block(player=players[2], other=players[0])
    for number in (1, 2):
        with refused("room_refuses") as refusal:
            lounge.join(room, number)
        assert refusal_of(refusal.value) == ("room_refuses", "closed_to_you")
    (listed,), _next = rooms_listed(players[1], Wish(which="all"), 10)
    assert listed.reason == "closed_to_you"


def test_own_avoid_lists_keep_out_and_those_of_others_tell_nothing() -> None:
    lounge = make_lounge(size=2)
    players = lounge.hall.players
    room = lounge.open(0)
    lounge.join(room, 1)
    avoid_list.avoid(player=players[1], other=players[2])
    avoid_list.avoid(player=players[3], other=players[0])
    with refused("room_refuses") as refusal:
        lounge.join(room, 3)
    assert refusal_of(refusal.value) == ("room_refuses", "closed_to_you")
    assert str(refusal.value) == "This room is not open to you."
    lounge.join(room, 2)  # who was refused would know that somebody here avoids them
    assert set(lounge.seats(room)) == {0, 1, 2}


def test_whom_those_avoid_who_are_brought_along_is_not_told() -> None:
    lounge = make_lounge(size=2)
    players = lounge.hall.players
    room = lounge.open(0)
    PartyMember.objects.create(party=lounge.hall.gather(1), player=players[2])
    avoid_list.avoid(player=players[2], other=players[0])
    lounge.join(room, 1)
    assert sorted(lounge.seats(room).values()) == [0, 1, 2]


def test_who_only_looks_on_keeps_nobody_out() -> None:
    lounge = make_lounge(size=2)
    players = lounge.hall.players
    room = lounge.open(0)
    block(player=players[1], other=players[2])
    lounge.watch(room, 1)
    (listed,), _next = rooms_listed(players[2], Wish(which="all"), 10)
    assert listed.reason == ""
    lounge.join(room, 2)
    with refused("room_refuses"):
        lounge.join(room, 1)
    assert sorted(lounge.seats(room).values()) == [0, 2]


def test_who_cools_off_takes_no_seat_and_others_learn_nothing_of_it() -> None:
    lounge = make_lounge(size=2)
    players = lounge.hall.players
    until = NOON + timedelta(hours=1)
    ConductStanding.objects.create(player=players[1], cooling_until=until, as_of=NOON)
    room = lounge.open(0)
    with refused("cooling_off"):
        lounge.join(room, 1)
    with refused("cooling_off"):
        lounge.open(1)
    PartyMember.objects.create(party=lounge.hall.gather(2), player=players[1])
    with refused("not_available"):
        lounge.join(room, 2)
    assert lounge.seats(room) == {0: 0}


@pytest.mark.parametrize("how", ["suspended", "cooling_off"])
def test_who_may_not_play_looks_on_in_no_room_and_becomes_host_of_none(how: str) -> None:
    lounge = make_lounge(size=2)
    host, guest = lounge.hall.players[:2]
    room = lounge.join(lounge.open(0), 2)
    lounge.watch(room, 1)
    if how == "suspended":
        kind, what = SanctionKind.SUSPENDED, SuspendedFrom.ALL
        # Not by `impose`, after which the member would be out of the room.
        Sanction.objects.create(player=guest, kind=kind, suspended_from=what, reason="x")
    else:
        until = NOON + timedelta(hours=1)
        ConductStanding.objects.create(player=guest, cooling_until=until, as_of=NOON)
    with refused("cannot_pick"), lounge.hall.at_now():
        lifecycle.hand_over(room_id=room.pk, by=host, to=guest.pk)
    lounge.leave(room, 1)
    with refused(how):
        lounge.watch(room, 1)
    assert lounge.reload(room).host == host
    with lounge.hall.at_now():
        lifecycle.hand_over(room_id=room.pk, by=host, to=lounge.hall.players[2].pk)
    assert lounge.reload(room).host == lounge.hall.players[2]


def test_who_begins_to_cool_off_loses_the_seat_when_the_match_is_to_begin() -> None:
    lounge = make_lounge(size=1)
    room = lounge.join(lounge.open(0), 1)
    until = NOON + timedelta(hours=1)
    ConductStanding.objects.create(player=lounge.hall.players[1], cooling_until=until, as_of=NOON)
    with refused("not_available"):
        lounge.start(room)
    assert lounge.seats(room) == {0: 0}


def test_countries_and_age_groups_are_filters_and_mark_nobody() -> None:
    lounge = make_lounge(size=2)
    players = lounge.hall.players
    with refused("wrong_room"):
        lounge.open(0, filters={"countries": ["Germany"]})
    with refused("wrong_room"):
        lounge.open(0, filters={"age_groups": ["old"]})
    tell_of_oneself(player=players[1], told={"country": "AT", "age_group": "25-34"})
    tell_of_oneself(player=players[2], told={"country": "FR", "age_group": "25-34"})
    tell_of_oneself(player=players[3], told={"country": "DE", "age_group": "35-49"})
    filters = {"countries": ["DE", "AT"], "age_groups": ["25-34", "18-24"]}
    room = lounge.open(0, filters=filters)
    assert room.filters["countries"] == ["DE", "AT"]
    lounge.join(room, 1)
    for number, reason in ((2, "countries"), (3, "age_groups")):
        with refused("room_refuses") as refusal:
            lounge.join(room, number)
        assert refusal_of(refusal.value) == ("room_refuses", reason)
    lounge.join(room, 4)  # who tells nothing may come
    with lounge.hall.at_now():
        lifecycle.change_settings(
            room_id=room.pk,
            by=players[0],
            settings={"filters": {"countries": ["FR"], "age_groups": ["50-up"]}},
        )
    assert set(RoomMember.objects.values_list("misfit", flat=True)) == {""}


def test_a_leader_learns_nothing_of_what_a_member_tells_for_matching_only() -> None:
    lounge = make_lounge(size=2)
    players = lounge.hall.players
    tell_of_oneself(player=players[1], told={"age_group": "under-18", "country": "PT"})
    PartyMember.objects.create(party=lounge.hall.gather(2), player=players[1])
    room = lounge.open(0, filters={"age_groups": ["50-up"], "countries": ["FR"]})
    lounge.join(room, 2)
    assert set(lounge.seats(room).values()) == {0, 1, 2}


def test_what_a_member_tells_everyone_counts_where_a_leader_comes() -> None:
    lounge = make_lounge(size=2)
    players = lounge.hall.players
    told = {"age_group": "under-18", "age_group_told": "everyone"}
    tell_of_oneself(player=players[1], told=told)
    PartyMember.objects.create(party=lounge.hall.gather(2), player=players[1])
    room = lounge.open(0, filters={"age_groups": ["50-up"]})
    with refused("room_refuses") as refusal:
        lounge.join(room, 2)
    assert refusal_of(refusal.value) == ("room_refuses", "age_groups")


def test_a_host_learns_no_latency_by_changing_filters() -> None:
    lounge = make_lounge(size=2, settings={"region": {"names": "eu"}})
    players = lounge.hall.players
    room = lounge.open(0)
    lounge.join(room, 1, wishes={"regions": {"eu": 23.0}, "languages": ["de"]})
    for filters in ({"regions": ["eu"], "latency": 10}, {"languages": ["en"]}):
        with lounge.hall.at_now():
            settings = {"filters": filters}
            lifecycle.change_settings(room_id=room.pk, by=players[0], settings=settings)
        assert set(RoomMember.objects.values_list("misfit", flat=True)) == {""}


def test_more_words_than_conditions_compare_are_refused() -> None:
    lounge = make_lounge(size=1)
    codes = sorted(COUNTRIES)
    with refused("wrong_room"):
        lounge.open(0, filters={"countries": codes})


def test_only_words_that_the_operator_offers_are_filters() -> None:
    """Any others were a host's own text, for everybody to read."""
    lounge = make_lounge(size=2)
    for name in ("regions", "styles", "rules"):
        with refused("wrong_room") as refusal:
            lounge.open(0, filters={name: ["buy gold at evil.example"]})
        assert f"There is no filter “{name}” here." in str(refusal.value)
    with refused("wrong_room") as refusal:
        lounge.open(0, filters={"languages": ["de", "buy-gold"]})
    assert "“buy-gold” is not possible." in str(refusal.value)
    lounge = make_lounge(size=2, settings={"style": {"names": "attack; calm"}})
    with refused("wrong_room"):
        lounge.open(0, filters={"styles": ["buy gold at evil.example"]})
    assert lounge.open(0, filters={"styles": ["calm"]}).filters == {"styles": ["calm"]}


def test_tags_of_profiles_are_a_filter() -> None:
    lounge = make_lounge(size=2)
    players, game = lounge.hall.players, lounge.hall.ladder.game
    with refused("wrong_room"):
        lounge.open(0, filters={"tags": ["calm"]})
    for slug in ("calm", "loud"):
        Tag.objects.create(game=game, slug=slug, name=slug.title())
    room = lounge.open(0, filters={"tags": ["calm"]})
    tell_of_oneself(player=players[1], told={}, tags=["calm"])
    tell_of_oneself(player=players[2], told={}, tags=["loud"])
    lounge.join(room, 1)
    with refused("room_refuses") as refusal:
        lounge.join(room, 2)
    assert refusal_of(refusal.value) == ("room_refuses", "tags")
    lounge.join(room, 3)  # who tells nothing may come
    assert lounge.seats(room) == {0: 0, 1: 1, 2: 3}
    found = rooms_of([player.pk for player in players])
    assert {pk: [one.where for one in its] for pk, its in found.items()} == {
        players[number].pk: ["Room"] for number in (0, 1, 3)
    }
