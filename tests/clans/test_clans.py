"""Founding clans, changing and ending them: who may, and what the database holds whatever the code does."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from clans import lifecycle, membership
from clans.models import Clan, ClanRules, Membership, Span
from clans.read import clans_listed
from notifications.models import Notice
from ratings.models import Player
from tests.clans.making import code_of, founded, joined, members, spans, tags
from tests.matchmaking.hall import make_hall


def at_once(break_it: Callable[[], object]) -> None:
    """Do something, and have checked what else is checked when a transaction commits."""
    with transaction.atomic():
        break_it()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


pytestmark = pytest.mark.django_db


def test_whoever_founds_a_clan_leads_it_and_is_in_it() -> None:
    hall = make_hall(1)
    clan = founded(hall)
    assert (clan.leader, members(clan)) == (hall.players[0], [hall.players[0].pk])
    assert (clan.access, clan.most) == ("apply", ClanRules().most_members)
    assert tags(hall) == ["WLF"]
    assert spans(clan) == [(hall.players[0].pk, True)]


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"name": " "}, "wrong_clan_text"),
        ({"name": "x"}, "wrong_clan_text"),
        ({"name": "x" * 41}, "wrong_clan_text"),
        ({"name": "the darn ones"}, "wrong_clan_text"),
        ({"note": "Darn it"}, "wrong_clan_text"),
        ({"tag": "x"}, "wrong_clan_text"),
        ({"tag": "toolong"}, "wrong_clan_text"),
        ({"tag": "a b"}, "wrong_clan_text"),
        ({"tag": "[x]"}, "wrong_clan_text"),
        ({"tag": "DARN"}, "wrong_clan_text"),
        ({"tag": "\u0410BC"}, "wrong_clan_text"),  # a Cyrillic letter among Latin ones
        ({"most": 1}, "wrong_clan_size"),
        ({"most": 51}, "wrong_clan_size"),
    ],
)
def test_what_a_clan_may_not_be(settings: dict[str, Any], code: str) -> None:
    hall = make_hall(1)
    hall.ladder.game.refused_words = "darn"
    hall.ladder.game.save()
    player = Player.objects.get(pk=hall.players[0].pk)
    given = {"name": "Wolves", "tag": "WLF", **settings}
    assert code_of(lifecycle.found, player=player, settings=given) == code
    clan = lifecycle.found(player=player, settings={"name": "Wolves", "tag": "WLF"})
    assert code_of(lifecycle.change, clan_id=clan.pk, by=player, settings=settings) == code
    assert not Clan.objects.exclude(name="Wolves", tag="WLF").exists()


def test_no_two_clans_look_alike_until_one_is_over() -> None:
    hall = make_hall(3)
    clan = founded(hall)
    for name, tag in (("WOLVES", "ABC"), ("W\u00f6lves", "ABC"), ("Foxes", "wlf")):
        code = code_of(lifecycle.found, player=hall.players[1], settings={"name": name, "tag": tag})
        assert code == "clan_text_taken", (name, tag)
    other = founded(hall, 1, name="Foxes", tag="FOX")
    for settings in ({"name": "wolves"}, {"tag": "Wlf"}):
        given: dict[str, Any] = {"clan_id": other.pk, "by": hall.players[1], "settings": settings}
        assert code_of(lifecycle.change, **given) == "clan_text_taken"
    lifecycle.dissolve(clan_id=clan.pk, by=hall.players[0])
    assert founded(hall, 2).tag == "WLF"


def test_operators_say_whether_there_are_clans_and_how_large() -> None:
    hall = make_hall(2)
    ClanRules.objects.create(game=hall.ladder.game, most_members=4)
    assert founded(hall).most == 4
    ClanRules.objects.update(is_open=False)
    given = {"name": "Foxes", "tag": "FOX"}
    assert code_of(lifecycle.found, player=hall.players[1], settings=given) == "clans_off"


def test_a_tag_follows_its_clan_to_all_members() -> None:
    hall = make_hall(3)
    clan = founded(hall, access="open")
    joined(hall, clan, 1)
    assert tags(hall) == ["WLF", "WLF", ""]
    lifecycle.change(clan_id=clan.pk, by=hall.players[0], settings={"tag": "PCK"})
    assert tags(hall) == ["PCK", "PCK", ""]
    membership.leave(clan_id=clan.pk, player=hall.players[1])
    assert tags(hall) == ["PCK", "", ""]
    lifecycle.dissolve(clan_id=clan.pk, by=hall.players[0])
    assert tags(hall) == ["", "", ""]


def test_what_is_over_stays_as_history() -> None:
    hall = make_hall(2)
    one, two = (player.pk for player in hall.players)
    with hall.at_now():
        clan = founded(hall, access="open")
    for seconds in (60, 60):
        hall.wait(seconds)
        with hall.at_now():
            joined(hall, clan, 1)
        hall.wait(seconds)
        with hall.at_now():
            membership.leave(clan_id=clan.pk, player=hall.players[1])
    hall.wait(60)
    with hall.at_now():
        lifecycle.dissolve(clan_id=clan.pk, by=hall.players[0])
    began = clan.founded_at
    rows = Span.objects.order_by("pk").values_list("player", "since", "until")
    assert [
        (pk, (since - began).seconds, until and (until - began).seconds)
        for pk, since, until in rows
    ] == [
        (one, 0, 300),
        (two, 60, 120),
        (two, 180, 240),
    ]
    clan.refresh_from_db()
    assert (clan.leader, clan.ended_at) == (None, began + timedelta(seconds=300))
    assert clans_listed(clan.game_id)[0] == []
    assert code_of(membership.join, clan_id=clan.pk, player=hall.players[1]) == "unknown_clan"


def test_time_that_began_ahead_of_the_clock_ends_as_it_began() -> None:
    hall = make_hall(1)
    hall.wait(3600)
    with hall.at_now():
        clan = founded(hall)
    hall.wait(-3600)
    with hall.at_now():
        membership.leave(clan_id=clan.pk, player=hall.players[0])
    span = Span.objects.get()
    assert span.until == span.since


def test_the_leader_hands_over_and_appoints() -> None:
    hall = make_hall(3)
    one, two, three = hall.players
    clan = founded(hall, access="open")
    joined(hall, clan, 1, 2)
    appointed: dict[str, Any] = {"clan_id": clan.pk, "player_id": two.pk, "is_officer": True}
    assert code_of(lifecycle.appoint, **appointed, by=three) == "not_clan_leader"
    lifecycle.appoint(**appointed, by=one)
    appointed["player_id"] = one.pk
    assert code_of(lifecycle.appoint, **appointed, by=one) == "is_clan_leader"
    assert code_of(lifecycle.hand_over, clan_id=clan.pk, to=three.pk, by=two) == "not_clan_leader"
    assert code_of(lifecycle.dissolve, clan_id=clan.pk, by=two) == "not_clan_leader"
    assert (
        code_of(lifecycle.change, clan_id=clan.pk, by=two, settings={"note": "Hi"})
        == "not_clan_leader"
    )
    lifecycle.hand_over(clan_id=clan.pk, to=two.pk, by=one)
    officers = set(Membership.objects.filter(is_officer=True).values_list("player", flat=True))
    assert (Clan.objects.get().leader, officers) == (two, {one.pk})
    assert list(Notice.objects.filter(kind="clan.leads").values_list("player", flat=True)) == [
        two.pk
    ]
    lifecycle.dissolve(clan_id=clan.pk, by=two)
    told = Notice.objects.filter(kind="clan.ended").values_list("player", flat=True)
    assert set(told) == {one.pk, three.pk}


def test_a_clan_that_is_smaller_has_room_for_its_members() -> None:
    hall = make_hall(4)
    clan = founded(hall, access="open", most=4)
    joined(hall, clan, 1, 2, 3)
    assert (
        code_of(lifecycle.change, clan_id=clan.pk, by=hall.players[0], settings={"most": 3})
        == "wrong_clan_size"
    )
    membership.leave(clan_id=clan.pk, player=hall.players[1])
    lifecycle.change(clan_id=clan.pk, by=hall.players[0], settings={"most": 3})
    assert sorted(Membership.objects.values_list("place", "most")) == [(0, 3), (1, 3), (2, 3)]


def test_the_database_refuses_what_must_not_be() -> None:
    hall = make_hall(3)
    one, two, three = hall.players
    clan = founded(hall, access="open")
    joined(hall, clan, 1)
    other = founded(hall, 2, name="Foxes", tag="FOX")
    broken = [
        ("clan_leader_is_a_member", lambda: Clan.objects.filter(pk=clan.pk).update(leader=three)),
        ("clan_leader_is_a_member", lambda: Membership.objects.filter(player=one).delete()),
        ("clan_is_led_until_it_ends", lambda: Clan.objects.filter(pk=clan.pk).update(leader=None)),
        ("clan_member_span", lambda: Membership.objects.filter(player=two).update(clan=other)),
        (
            "clan_one_at_a_time",
            lambda: Span.objects.create(clan=other, player=two, since=clan.founded_at),
        ),
        ("clan_place_exists", lambda: Membership.objects.filter(player=two).update(place=50)),
        ("clan_tag_unique", lambda: Clan.objects.filter(pk=other.pk).update(tag_skeleton="wlf")),
    ]
    for name, break_it in broken:
        with pytest.raises(IntegrityError, match=name):
            at_once(break_it)
