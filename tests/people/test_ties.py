"""Friends, follows and blocks: who ends up with whom, whatever they do at once."""

from contextlib import suppress
from functools import partial

import pytest
from django.db import IntegrityError, transaction

from api.site.delete_person import delete_player
from people import befriend, blocks
from people.models import Block, Follow, Friendship
from people.refusals import (
    NotOpenToThisError,
    OtherGameError,
    TiesItselfError,
    TooManyTiesError,
)
from people.ties import Relation, followed_by, friend_ids, friends_among, relation
from people.wishes import choose
from ratings.merging.merge import merge
from ratings.models import Player
from tests.at_once import at_once
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db(transaction=True)


def friends(one: Player, other: Player) -> None:
    befriend.befriend(player=one, other=other)
    befriend.befriend(player=other, other=one)


def agree(player: Player, other: Player) -> bool:
    with suppress(NotOpenToThisError):  # the block came first
        befriend.befriend(player=player, other=other)
    return True


def test_one_asks_and_the_other_agrees() -> None:
    anna, bernd = make_hall(2).players
    befriend.befriend(player=bernd, other=anna)
    befriend.befriend(player=bernd, other=anna)
    assert relation(bernd.pk, anna.pk) == Relation(has_asked=True)
    assert relation(anna.pk, bernd.pk) == Relation(is_asked=True)
    assert friend_ids(anna.pk) == set()
    row = befriend.befriend(player=anna, other=bernd)
    assert row.agreed_at is not None
    assert relation(anna.pk, bernd.pk) == relation(bernd.pk, anna.pk) == Relation(is_friend=True)
    assert friend_ids(anna.pk) == {bernd.pk}
    assert friends_among(bernd.pk, [anna.pk, bernd.pk]) == {anna.pk}
    assert befriend.part(player=bernd, other_id=anna.pk)
    assert not befriend.part(player=anna, other_id=bernd.pk)
    assert relation(anna.pk, bernd.pk) == Relation()


def test_both_ask_at_once() -> None:
    anna, bernd = make_hall(2).players
    at_once(
        [
            lambda: befriend.befriend(player=anna, other=bernd),
            lambda: befriend.befriend(player=bernd, other=anna),
        ]
    )
    assert friend_ids(anna.pk) == {bernd.pk}
    assert Friendship.objects.count() == 1


def test_a_block_ends_everything_both_ways_and_lets_nothing_begin() -> None:
    anna, bernd, carla = make_hall(3).players
    friends(anna, bernd)
    befriend.follow(player=anna, other=bernd)
    befriend.follow(player=bernd, other=anna)
    befriend.follow(player=bernd, other=carla)
    assert blocks.block(player=anna, other=bernd)
    assert not blocks.block(player=anna, other=bernd)
    assert relation(anna.pk, bernd.pk) == Relation(blocks=True)
    assert relation(bernd.pk, anna.pk) == Relation()  # who is blocked sees nothing of it
    for player, other in ((anna, bernd), (bernd, anna)):
        with pytest.raises(NotOpenToThisError):
            befriend.befriend(player=player, other=other)
        with pytest.raises(NotOpenToThisError):
            befriend.follow(player=player, other=other)
    assert blocks.between(anna.pk, bernd.pk)
    assert blocks.between(bernd.pk, anna.pk)
    assert blocks.with_any(bernd.pk, [anna.pk, carla.pk]) == {anna.pk}
    assert blocks.among([anna.pk, bernd.pk, carla.pk]) == {frozenset((anna.pk, bernd.pk))}
    assert blocks.unblock(player=anna, other_id=bernd.pk)
    assert not blocks.between(anna.pk, bernd.pk)
    befriend.befriend(player=bernd, other=anna)


def test_a_block_and_a_yes_at_once_leave_no_friendship() -> None:
    for _ in range(5):
        anna, bernd = make_hall(2).players
        befriend.befriend(player=bernd, other=anna)
        at_once([partial(blocks.block, player=bernd, other=anna), partial(agree, anna, bernd)])
        assert blocks.between(anna.pk, bernd.pk)
        assert friend_ids(anna.pk) == set()
        assert not Friendship.objects.filter(low=anna.pk).exists()


def test_a_refusal_is_the_same_for_a_block_and_for_a_choice() -> None:
    anna, bernd, carla = make_hall(3).players
    blocks.block(player=anna, other=bernd)
    choose(player=carla, chosen={"ask": "nobody"})
    said = []
    for other in (anna, carla):
        with pytest.raises(NotOpenToThisError) as refused:
            befriend.befriend(player=bernd, other=other)
        said.append((refused.value.code, str(refused.value)))
    assert said[0] == said[1]


def test_nobody_is_tied_to_themselves_or_across_games() -> None:
    anna, stranger = make_hall(1).players[0], make_hall(1).players[0]
    for act in (befriend.befriend, befriend.follow, blocks.block):
        with pytest.raises(TiesItselfError):
            act(player=anna, other=anna)
        with pytest.raises(OtherGameError):
            act(player=anna, other=stranger)
    for made in (
        lambda: Follow.objects.create(player=anna, followed=anna),
        lambda: Block.objects.create(player=anna, blocked=anna),
        lambda: Friendship.objects.create(low=anna, high=anna, by_low=True),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            made()


def test_lists_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(befriend, "MOST_ASKED", 1)
    monkeypatch.setattr(befriend, "MOST_FOLLOWED", 1)
    monkeypatch.setattr(blocks, "MOST", 1)
    anna, bernd, carla = make_hall(3).players
    for act in (befriend.befriend, befriend.follow, blocks.block):
        other = carla if act is blocks.block else bernd
        act(player=anna, other=other)
        with pytest.raises(TooManyTiesError):
            act(player=anna, other=bernd if act is blocks.block else carla)


def test_merging_brings_all_along_and_no_block_is_escaped() -> None:
    kim, other_kim, fan, foe, pal = make_hall(5).players
    friends(other_kim, pal)
    friends(kim, foe)
    befriend.follow(player=fan, other=other_kim)
    befriend.follow(player=other_kim, other=fan)
    blocks.block(player=foe, other=other_kim)
    merge(player=other_kim, into=kim, by=None, note="the same person")
    assert friend_ids(kim.pk) == {pal.pk}
    assert friend_ids(pal.pk) == {kim.pk}  # who counts for another is listed no more
    assert [row.followed_id for row in followed_by(fan.pk)] == [kim.pk]
    assert [row.followed_id for row in followed_by(kim.pk)] == [fan.pk]
    assert blocks.between(kim.pk, foe.pk)
    with pytest.raises(NotOpenToThisError):
        befriend.follow(player=fan, other=Player.objects.get(pk=other_kim.pk))


def test_who_is_deleted_is_nobodys_friend() -> None:
    anna, bernd, carla = make_hall(3).players
    friends(anna, bernd)
    befriend.follow(player=anna, other=bernd)
    blocks.block(player=carla, other=bernd)
    choose(player=bernd, chosen={"write": "nobody"})
    delete_player(bernd, by=None)
    assert not Friendship.objects.exists()
    assert not Follow.objects.exists()
    assert not Block.objects.exists()
    with pytest.raises(NotOpenToThisError):
        befriend.befriend(player=anna, other=Player.objects.get(pk=bernd.pk))
