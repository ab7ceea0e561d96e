"""Boards without whom operators have hidden: no place, nobody's rank counts them, and back when it is over."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from foundation import clock
from leaderboards.boards.hidden import follow_sanctions
from leaderboards.boards.refresh import refresh
from leaderboards.models import Board, RankBucket, Standing
from ratings.models import SanctionKind
from ratings.sanctions import impose, lift
from tests.leaderboards.cast import NOON, Cast, make_cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(6)
    cast.values([1900.0, 1800.0, 1700.0, 1600.0, 1500.0, 1400.0])
    with clock.at(NOON):
        refresh(cast.track.pk)
    return cast


def order(cast: Cast) -> list[int]:
    """Who has a standing, by position among the players."""
    numbers = {player.pk: number for number, player in enumerate(cast.players)}
    rows = Standing.objects.filter(track=cast.track).order_by("-order_value")
    return [numbers[pk] for pk in rows.values_list("player", flat=True)]


def counted(cast: Cast) -> int:
    return sum(RankBucket.objects.filter(track=cast.track.pk).values_list("total", flat=True))


def test_the_hidden_have_no_place_and_come_back(cast: Cast) -> None:
    with clock.at(NOON):
        sanction = impose(
            player=cast.players[1],
            kind=SanctionKind.HIDDEN,
            reason="Engine.",
            by=None,
            until=NOON + timedelta(days=2),
        )
        Board.objects.update(updated_at=None)
        assert follow_sanctions() == 1
        assert follow_sanctions() == 0
        assert order(cast) == [0, 2, 3, 4, 5]
        assert counted(cast) == 5
    assert Board.objects.get().updated_at == NOON  # by which pages know that it is another
    with clock.at(NOON + timedelta(days=1)):
        cast.rate({1: {"value": 2000.0}, 4: {"value": 1750.0}})
        refresh(cast.track.pk)
        assert order(cast) == [0, 4, 2, 3, 5]  # a new rating does not bring the player back
    with clock.at(NOON + timedelta(days=2)):
        assert follow_sanctions() == 1
        assert order(cast) == [1, 0, 4, 2, 3, 5]
        assert counted(cast) == 6
    assert sanction.lifted_at is None


def test_lifted_is_over(cast: Cast) -> None:
    with clock.at(NOON):
        for reason in ("first", "second"):
            sanction = impose(
                player=cast.players[0], kind=SanctionKind.HIDDEN, reason=reason, by=None
            )
        follow_sanctions()
        lift(sanction_id=sanction.pk, by=None)
        follow_sanctions()
        assert order(cast) == [1, 2, 3, 4, 5]  # the other one holds still
        for other in cast.players[0].sanctions.filter(lifted_at=None):
            lift(sanction_id=other.pk, by=None)
        follow_sanctions()
        assert order(cast) == [0, 1, 2, 3, 4, 5]


def test_without_sanctions_a_look_is_one_query(cast: Cast) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert follow_sanctions() == 0
    assert len(queries) == 1
