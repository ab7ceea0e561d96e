"""Avoid lists: how long they may be, and who stands on them."""

import pytest
from django.db import IntegrityError, transaction

from matchmaking import avoid_list
from matchmaking.models import Avoided
from matchmaking.refusals import AvoidsItselfError, AvoidsTooManyError, WrongGameError
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import Player
from tests.matchmaking.hall import make_hall
from tests.matchmaking.offers.test_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_names_are_added_once_and_taken_off() -> None:
    hall = make_hall(3)
    anna, bernd, carla = hall.players
    assert avoid_list.avoid(player=anna, other=bernd)
    assert not avoid_list.avoid(player=anna, other=bernd)
    assert avoid_list.avoid(player=anna, other=carla)
    assert [row.avoided for row in avoid_list.avoided_by(anna.pk)] == [carla, bernd]
    assert avoid_list.avoids(anna.pk, [bernd.pk, anna.pk]) == {bernd.pk}
    assert avoid_list.avoids(bernd.pk, [anna.pk]) == set()
    assert avoid_list.stop_avoiding(player=anna, other_id=bernd.pk)
    assert not avoid_list.stop_avoiding(player=anna, other_id=bernd.pk)


def test_nobody_avoids_themselves_or_players_of_another_game() -> None:
    hall, elsewhere = make_hall(1), make_hall(1)
    with pytest.raises(AvoidsItselfError):
        avoid_list.avoid(player=hall.players[0], other=hall.players[0])
    with pytest.raises(WrongGameError):
        avoid_list.avoid(player=hall.players[0], other=elsewhere.players[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        Avoided.objects.create(player=hall.players[0], avoided=hall.players[0])


def test_a_list_has_an_end_also_where_two_are_added_at_once() -> None:
    hall = make_hall(avoid_list.MOST + 5)
    anna, *others, last = hall.players
    Avoided.objects.bulk_create(
        Avoided(player=anna, avoided=other) for other in others[: avoid_list.MOST - 1]
    )
    calls = [
        lambda other=other: avoid_list.avoid(player=anna, other=other)
        for other in others[avoid_list.MOST - 1 :]
    ]
    outcomes = at_once(*calls)
    assert outcomes.count("avoids_too_many") == len(calls) - 1
    assert Avoided.objects.filter(player=anna).count() == avoid_list.MOST
    assert not avoid_list.avoid(player=anna, other=others[0])  # stands there already
    with pytest.raises(AvoidsTooManyError):
        avoid_list.avoid(player=anna, other=last)
    assert avoid_list.avoid(player=others[0], other=anna)


def test_no_block_is_escaped_by_merging() -> None:
    hall = make_hall(5)
    kim, kims_other, fan, both, foe = hall.players
    avoid_list.avoid(player=foe, other=kims_other)
    avoid_list.avoid(player=both, other=kims_other)
    avoid_list.avoid(player=both, other=kim)
    avoid_list.avoid(player=kims_other, other=fan)
    avoid_list.avoid(player=kims_other, other=kim)
    avoid_list.avoid(player=kim, other=kims_other)
    merge(player=kims_other, into=kim, by=None, note="the same person")
    assert avoid_list.avoids(foe.pk, [kim.pk])
    assert avoid_list.avoids(kim.pk, [fan.pk, kims_other.pk]) == {fan.pk, kims_other.pk}
    assert Avoided.objects.filter(player=both).count() == 2
    unmerge(player=Player.objects.get(pk=kims_other.pk), by=None, note="they are two")
    assert avoid_list.avoids(kims_other.pk, [fan.pk]) == {fan.pk}
    assert avoid_list.avoids(foe.pk, [kim.pk, kims_other.pk]) == {kim.pk, kims_other.pk}
