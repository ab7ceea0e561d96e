"""Rating runs: the status a rating had before each change, and what is counted beside it."""

import numpy as np
import pytest

from ratings.ledger.forecasts import aged, forecasters_of
from ratings.models import Rating, Status
from ratings.runs.match_arrays import DuelMatches
from ratings.runs.track_ratings import TrackRatings
from ratings.systems import create
from tests.ratings.arena import DAY, START, Played, make_arena, random_history

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("players", [12, 300])
def test_every_game_keeps_the_status_before_it(players: int) -> None:
    """Few players are rated one by one, many as arrays. In a pool so small every game counts."""
    arena = make_arena(players, pool_minimum=1000, established_after=3)
    track = arena.track()
    arena.play(*random_history(600, players, days=50))
    arena.rate(track)
    seen: dict[int, list[int | None]] = {}
    for row in track.changes.order_by("match__ladder_seq"):
        seen.setdefault(row.player_id, []).append(row.status_before)
    start = [Status.NEW, Status.PROVISIONAL, Status.PROVISIONAL]
    for statuses in seen.values():
        wanted = start + [Status.ESTABLISHED] * len(statuses)
        assert statuses == wanted[: len(statuses)]


def test_a_period_keeps_the_status_at_its_start() -> None:
    arena = make_arena(2, pool_minimum=100, established_after=3)
    track = arena.track("glicko", days=10, provisional_deviation=300)
    arena.play(*[Played(day, 0, 1, 0.5) for day in (1, 11, 12, 21, 8000)])
    arena.rate(track)
    rows = track.changes.filter(player=arena.players[0]).order_by("id")
    assert list(rows.values_list("status_before", flat=True)) == [
        Status.NEW,
        Status.PROVISIONAL,
        Status.ESTABLISHED,
        Status.PROVISIONAL,  # has grown vague while nobody played
    ]


def test_who_has_played_is_not_new_also_when_no_game_counts() -> None:
    arena = make_arena(2, pool_minimum=0)
    track = arena.track()
    arena.play(Played(1, 0, 1, 1.0))
    arena.rate(track)
    rating = Rating.objects.get(track=track, player=arena.players[0])
    assert (rating.games, rating.counted, rating.status) == (1, 0, Status.PROVISIONAL)
    belief = aged(forecasters_of([track])[track.pk], rating, START + 2 * DAY)
    assert belief.status == Status.PROVISIONAL


def test_the_latest_match_played_is_the_latest_in_whatever_order_they_are_confirmed() -> None:
    ones, twos = np.ones(3, dtype=np.int64), np.array([1, 2, 1])
    matches = DuelMatches(
        id=np.arange(3),
        seq=np.arange(3),
        counts_at=np.array([50, 60, 70]),
        played_at=np.array([40, 30, 20]),
        first=ones * 0,
        second=twos,
        score=np.array([1.0, 0.5, 0.0]),
        first_left=np.array([False, True, False]),
        second_left=np.zeros(3, dtype=bool),
        side=np.zeros(3),
    )
    state = TrackRatings.blank(np.array([7, 8, 9]), create("elo"))
    state.last_played_at[2] = 35
    state.tally(matches)
    state.count_from(matches)
    assert state.last_played_at.tolist() == [40, 40, 35]
    assert state.as_of.tolist() == [70, 70, 60]
    assert (state.wins.tolist(), state.draws.tolist()) == ([1, 1, 0], [1, 0, 1])
    assert (state.losses.tolist(), state.leaves.tolist()) == ([1, 1, 0], [1, 0, 0])
