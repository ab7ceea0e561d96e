"""Rating runs: the status a rating had before each change."""

import pytest

from ratings.ledger.forecasts import aged, forecasters_of
from ratings.models import Rating, Status
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
