"""Glicko-2 on a ladder: its volatility is kept, and its deviations grow by periods."""

import numpy as np
import pytest

from foundation import clock
from ratings.ledger.forecasts import aged, forecasters_of
from ratings.models import Rating
from ratings.systems import Duels
from ratings.tracks.parameters import current_version, system_of
from tests.ratings.arena import DAY, START, make_arena, random_history

pytestmark = pytest.mark.django_db


def test_periods_equal_all_players_by_hand() -> None:
    """A period in which a player plays contains its own growth: only those without play are added."""
    arena = make_arena(8)
    track = arena.track("glicko2", days=5)
    history = random_history(200, 8, days=100, skip=15)
    arena.play(*history)
    arena.rate(track, day=100)
    system = system_of(current_version(track), 5)
    known = system.initial(8)
    last = np.full(8, -1)
    for number in range(20):
        games = [one for one in history if one.day // 5 == number]
        if not games:
            continue
        first, second = (
            np.array([one.first for one in games]),
            np.array([one.second for one in games]),
        )
        playing = np.isin(np.arange(8), np.concatenate((first, second)))
        idle = np.where(playing & (last >= 0), number - last - 1, 0)
        before = system.age(known, idle.astype(float))
        scores = np.array([one.score for one in games])
        known = system.rate_event(before, Duels(first, second, scores))
        last[playing] = number
    assert known.deviation is not None
    assert known.volatility is not None
    for number, player in enumerate(arena.players):
        rating = Rating.objects.get(track=track, player=player)
        assert rating.value == pytest.approx(known.value[number], rel=1e-12)
        assert rating.deviation == pytest.approx(known.deviation[number], rel=1e-12)
        assert rating.volatility == pytest.approx(known.volatility[number], rel=1e-12)
        assert rating.as_of == START + 5 * (int(last[number]) + 1) * DAY
    assert not track.changes.filter(volatility_after=None).exists()


def test_a_deviation_is_read_as_of_now() -> None:
    arena = make_arena(4)
    track = arena.track("glicko2", days=5)
    arena.play(*random_history(20, 4, days=5))
    arena.rate(track, day=5)
    rating = Rating.objects.filter(track=track).first()
    assert rating is not None
    assert rating.deviation is not None
    assert rating.volatility is not None
    forecaster = forecasters_of([track])[track.pk]
    then = aged(forecaster, rating, START + 5 * DAY)
    later = aged(forecaster, rating, START + 30 * DAY)
    assert then.deviation == pytest.approx(rating.deviation)
    growth = rating.volatility * 400 / np.log(10)
    assert later.deviation == pytest.approx(np.hypot(rating.deviation, growth * np.sqrt(5)))
    with clock.at(START + 30 * DAY):
        arena.rate(track, day=30)
    rating.refresh_from_db()
    assert rating.as_of == START + 5 * DAY
