"""How often players played maps of late."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.map_knowledge import games_on_maps
from ratings.models import Match, MatchState
from tests.ratings.arena import Played, make_arena

pytestmark = pytest.mark.django_db


def test_confirmed_matches_are_counted_by_player_and_map() -> None:
    arena = make_arena(3)
    matches = arena.play(
        Played(1, 0, 1, 1), Played(2, 0, 1, 1), Played(3, 0, 2, 1), Played(4, 1, 2, 0)
    )
    for match, name in zip(matches, ["Gorge", "Gorge", "Temple", "Gorge"], strict=True):
        Match.objects.filter(pk=match.pk).update(map=name)
    Match.objects.filter(pk=matches[3].pk).update(state=MatchState.ANNULLED)
    ids = [player.pk for player in arena.players]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = games_on_maps([ids[2], ids[0], ids[1], 0], ["Temple", "Gorge", "Island"])
    assert len(queries) == 1
    assert found.tolist() == [[1, 0, 0], [1, 2, 0], [0, 2, 0], [0, 0, 0]]
    assert games_on_maps([], ["Temple"]).shape == (0, 1)
    assert games_on_maps(ids, []).shape == (3, 0)


def test_old_matches_are_forgotten() -> None:
    arena = make_arena(2)
    matches = arena.play(*(Played(day, 0, 1, 1) for day in range(5)))
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(map="Gorge")
    Match.objects.filter(pk=matches[0].pk).update(map="Temple")
    ids = [arena.players[0].pk]
    assert games_on_maps(ids, ["Temple", "Gorge"]).tolist() == [[1, 4]]
    assert games_on_maps(ids, ["Temple", "Gorge"], latest=3).tolist() == [[0, 3]]
