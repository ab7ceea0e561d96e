"""What friends are at: told to those who may see it, on the page and by API, and never a rating."""

import html
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people import befriend, blocks
from people.presence import At, doing_of, present_friends
from people.wishes import choose
from ratings.models import Mode
from tests.matchmaking.hall import make_hall
from tests.matchmaking.visiting import make_account, search, text_of

pytestmark = pytest.mark.django_db


def test_friends_see_searches_and_matches_and_others_do_not() -> None:
    hall = make_hall(6, mode=Mode.NORMAL)
    anna, seeks, plays, _other, hides, stranger = hall.players
    hall.rate({2: 97531.0})
    for one in (seeks, plays, hides):
        befriend.befriend(player=one, other=anna)
        befriend.befriend(player=anna, other=one)
    choose(player=hides, chosen={"see": "nobody"})
    search(hall, 1, 4)
    match = hall.put_into_match(2, against=3)
    everybody = [one.pk for one in hall.players]
    found = doing_of(anna.pk, everybody)
    assert {pk: [it.at for it in those] for pk, those in found.items()} == {
        anna.pk: [],
        seeks.pk: [At.SEARCHING],
        plays.pk: [At.PLAYING],
    }
    (seen,) = found[plays.pk]
    assert seen.id is None
    assert seen.since is not None
    assert (seen.since.second, seen.since.microsecond) == (0, 0)
    assert match.played_at - timedelta(minutes=1) < seen.since <= match.played_at
    assert doing_of(stranger.pk, everybody) == {stranger.pk: []}
    present = present_friends(anna.pk)
    assert {one.player for one in present} == {seeks, plays}
    assert all(one.is_friend for one in present)
    client = make_account(hall, 0, "anna")
    text = html.unescape(text_of(client, "/people/"))
    assert "searching:" in text
    assert "in a match:" in text
    assert "97531" not in text
    blocks.block(player=plays, other=anna)
    assert plays.pk not in doing_of(anna.pk, everybody)


def test_where_matches_are_public_it_is_told_which() -> None:
    hall = make_hall(3, mode=Mode.RANKED)
    anna, plays, _other = hall.players
    befriend.befriend(player=plays, other=anna)
    befriend.befriend(player=anna, other=plays)
    match = hall.put_into_match(1, against=2)
    assert [it.id for it in doing_of(anna.pk, [plays.pk])[plays.pk]] == [match.pk]


def test_whom_one_follows_is_seen_where_everyone_may() -> None:
    hall = make_hall(3)
    anna, open_one, closed = hall.players
    for one in (open_one, closed):
        befriend.follow(player=anna, other=one)
    choose(player=open_one, chosen={"see": "everyone"})
    search(hall, 1, 2)
    (present,) = present_friends(anna.pk)
    assert (present.player, present.is_friend) == (open_one, False)
    assert [it.at for it in present.doing] == [At.SEARCHING]


def test_it_asks_as_often_for_many_as_for_few() -> None:
    hall = make_hall(12)
    anna = hall.players[0]
    asked = []
    for others in (hall.players[1:2], hall.players[2:]):
        for one in others:
            befriend.befriend(player=one, other=anna)
            befriend.befriend(player=anna, other=one)
        with CaptureQueriesContext(connection) as queries:
            present_friends(anna.pk)
        asked.append(len(queries))
    assert asked[0] == asked[1]
