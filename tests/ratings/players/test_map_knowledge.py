"""How often players have played maps: counted once from the sequence, and taken back with the match."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ratings.matches.decide import annul
from ratings.models import Ladder, MapGames, Match, MatchState
from ratings.players import map_games
from ratings.players.map_games import count_maps, games_on_maps, ladders_with_uncounted_maps
from ratings.runs.sequence import sequence_confirmed
from ratings.tasks import rate_due_tracks
from tests.ratings.arena import Arena, Played, make_arena

pytestmark = pytest.mark.django_db

HISTORY = (Played(1, 0, 1, 1), Played(2, 0, 1, 1), Played(3, 0, 2, 1), Played(4, 1, 2, 0))
MAPS = ["Gorge", "Gorge", "Temple", ""]


def play(arena: Arena, maps: list[str], history: tuple[Played, ...] = HISTORY) -> list[Match]:
    """Confirm matches on these maps, in the sequence, not counted yet."""
    matches = arena.play(*history)
    for match, name in zip(matches, maps, strict=True):
        Match.objects.filter(pk=match.pk).update(map=name)
    sequence_confirmed(arena.ladder.pk)
    return matches


def known(arena: Arena) -> list[list[int]]:
    """Matches of each player on Temple and on Gorge."""
    ids = [player.pk for player in arena.players]
    games: list[list[int]] = games_on_maps(ids, ["Temple", "Gorge"]).tolist()
    return games


def test_confirmed_matches_are_counted_by_player_and_map() -> None:
    arena = make_arena(3)
    play(arena, MAPS)
    count_maps(arena.ladder.pk)
    ids = [player.pk for player in arena.players]
    with CaptureQueriesContext(connection) as queries:
        found = games_on_maps([ids[2], ids[0], ids[1], 0], ["Temple", "Gorge", "Island"])
    assert len(queries) == 1
    assert found.tolist() == [[1, 0, 0], [1, 2, 0], [0, 2, 0], [0, 0, 0]]
    assert games_on_maps([], ["Temple"]).shape == (0, 1)
    assert games_on_maps(ids, []).shape == (3, 0)


def test_what_is_counted_is_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    arena = make_arena(3)
    play(arena, MAPS)
    monkeypatch.setattr(map_games, "CHUNK", 3)
    count_maps(arena.ladder.pk)
    count_maps(arena.ladder.pk)
    assert known(arena) == [[1, 2], [0, 2], [1, 0]]
    assert ladders_with_uncounted_maps() == []
    play(arena, ["Gorge"], (Played(5, 0, 2, 1),))
    assert ladders_with_uncounted_maps() == [arena.ladder.pk]
    count_maps(arena.ladder.pk)
    assert known(arena) == [[1, 3], [0, 2], [1, 1]]


def test_all_ladders_of_the_game_count_together() -> None:
    arena = make_arena(3)
    play(arena, MAPS)
    other = Ladder.objects.create(game=arena.game, slug="blitz", name="Blitz")
    (match,) = arena.play(Played(6, 0, 1, 1))
    Match.objects.filter(pk=match.pk).update(ladder=other, map="Gorge")
    for ladder in (arena.ladder, other):
        sequence_confirmed(ladder.pk)
        count_maps(ladder.pk)
    assert MapGames.objects.filter(ladder=other).count() == 2
    assert known(arena) == [[1, 3], [0, 3], [1, 0]]


def test_an_annulled_match_is_taken_back_where_it_was_counted() -> None:
    arena = make_arena(3)
    counted, *_ = play(arena, MAPS)
    count_maps(arena.ladder.pk)
    (uncounted,) = play(arena, ["Gorge"], (Played(5, 0, 1, 1),))
    annul(match_id=uncounted.pk, by=None, note="before its count")
    assert known(arena) == [[1, 2], [0, 2], [1, 0]]
    count_maps(arena.ladder.pk)
    assert known(arena) == [[1, 2], [0, 2], [1, 0]]
    for _ in range(2):  # the same again changes nothing
        annul(match_id=counted.pk, by=None, note="after its count")
        assert known(arena) == [[1, 1], [0, 1], [1, 0]]
    assert set(Match.objects.filter(state=MatchState.ANNULLED)) == {counted, uncounted}


def test_workers_count_by_themselves() -> None:
    arena = make_arena(3)
    play(arena, MAPS)
    rate_due_tracks()
    assert known(arena) == [[1, 2], [0, 2], [1, 0]]
