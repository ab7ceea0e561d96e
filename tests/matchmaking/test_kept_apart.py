"""Players who are kept apart: the same by every form in which it is asked."""

import pytest
from django.db import connection

from matchmaking.kept_apart import (
    ARE_ANY,
    NOT_APART,
    away_from,
    keep_away,
    kept_apart,
)
from matchmaking.models import Avoided
from people.models import Block
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def by_sql(condition: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {condition}")
        return bool(cursor.fetchone()[0])


def are_told(hall: Hall, one: int, other: int) -> list[bool]:
    """What each form says of two."""
    others = f"ARRAY[{other}, 0]::bigint[]"
    return [
        (one, other) in kept_apart([one], [other, hall.players[2].pk]),
        (other, one) in kept_apart([one], [other, hall.players[2].pk]),
        not by_sql(NOT_APART.format(player=f"{one}::bigint", others=others)),
    ]


@pytest.mark.parametrize("what", ["avoids", "blocks"])
def test_either_way_round(what: str) -> None:
    hall = make_hall(players=3)
    one, other, third = (player.pk for player in hall.players)
    assert are_told(hall, one, other) == [False] * 3
    assert not by_sql(ARE_ANY)
    if what == "avoids":
        Avoided.objects.create(player_id=one, avoided_id=other)
    else:
        Block.objects.create(player_id=one, blocked_id=other)
    assert by_sql(ARE_ANY)
    assert are_told(hall, one, other) == are_told(hall, other, one) == [True] * 3
    assert are_told(hall, one, third) == are_told(hall, third, other) == [False] * 3
    # Whose own doing it is.
    assert keep_away([one], [other, third])
    assert not keep_away([other, third], [one])
    with connection.cursor() as cursor:
        cursor.execute(away_from(f"{one}::bigint"))
        assert cursor.fetchall() == [(other,)]
        cursor.execute(away_from(f"{other}::bigint"))
        assert cursor.fetchall() == []
