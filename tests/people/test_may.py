"""Who may challenge whom, and see what somebody is at: every choice against every tie."""

from collections.abc import Callable

import pytest

from api.site.delete_person import delete_player
from matchmaking import avoid_list
from people import befriend, blocks
from people.may import (
    challengeable,
    check_challenge,
    may_challenge,
    presence_shown,
)
from people.refusals import NotOpenToThisError
from people.wishes import choose, wishes_of
from ratings.merging.merge import merge
from ratings.models import Player
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db
MAY: dict[str, Callable[[int, int], bool]] = {
    "challenge": may_challenge,
    "see": lambda viewer, player: player in presence_shown(viewer, [player]),
}


def friends(one: Player, other: Player) -> None:
    befriend.befriend(player=one, other=other)
    befriend.befriend(player=other, other=one)


@pytest.mark.parametrize("what", MAY)
def test_each_choice_opens_to_those_it_names(what: str) -> None:
    anna, friend, asking, stranger = make_hall(4).players
    friends(anna, friend)
    befriend.befriend(player=asking, other=anna)
    for chosen, expected in (
        ("everyone", [True, True, True]),
        ("friends", [True, False, False]),
        ("nobody", [False, False, False]),
    ):
        choose(player=anna, chosen={what: chosen})
        found = [MAY[what](one.pk, anna.pk) for one in (friend, asking, stranger)]
        assert found == expected, chosen


def test_what_holds_for_who_has_chosen_nothing() -> None:
    anna, bernd = make_hall(2).players
    wishes = wishes_of(anna.pk)
    assert (wishes.write, wishes.challenge, wishes.see, wishes.ask) == (
        "everyone",
        "everyone",
        "friends",
        "everyone",
    )
    assert may_challenge(bernd.pk, anna.pk)
    assert presence_shown(bernd.pk, [anna.pk]) == set()


def test_blocks_hold_both_ways_whatever_is_chosen() -> None:
    anna, bernd = make_hall(2).players
    for one in (anna, bernd):
        choose(player=one, chosen={"challenge": "everyone", "see": "everyone"})
    blocks.block(player=anna, other=bernd)
    for may in MAY.values():
        assert not may(anna.pk, bernd.pk)
        assert not may(bernd.pk, anna.pk)


def test_who_is_avoided_learns_it_by_no_refusal() -> None:
    anna, bernd = make_hall(2).players
    avoid_list.avoid(player=anna, other=bernd)
    assert may_challenge(bernd.pk, anna.pk)
    assert may_challenge(anna.pk, bernd.pk)


def test_the_reason_is_one_whatever_it_is() -> None:
    anna, blocker, friendly, gone = make_hall(4).players
    blocks.block(player=blocker, other=anna)
    choose(player=friendly, chosen={"challenge": "friends"})
    delete_player(gone, by=None)
    said = set()
    for other in (blocker, friendly, gone):
        with pytest.raises(NotOpenToThisError) as refused:
            check_challenge(anna.pk, other.pk)
        said.add((refused.value.code, str(refused.value)))
    assert len(said) == 1


def test_nobody_turns_to_who_is_gone_is_another_or_plays_elsewhere() -> None:
    anna, gone, merged, into = make_hall(4).players
    stranger = make_hall(1).players[0]
    delete_player(gone, by=None)
    merge(player=merged, into=into, by=None, note="the same person")
    everybody = [one.pk for one in (anna, gone, merged, into, stranger)]
    assert challengeable(anna.pk, everybody) == {into.pk}
    assert presence_shown(anna.pk, everybody) == {anna.pk}
    for other in (gone, merged, stranger):
        assert challengeable(other.pk, [anna.pk]) == set()
