"""No rating falls below the floor of its system, whichever way it is rated, and points come into the pool there."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import (
    Contests,
    Duels,
    MatchChange,
    ParameterError,
    Ratings,
    System,
    create,
    declaration_of,
)
from tests.ratings.systems import strategies

N = 6
FLOORED = ("elo", "elo_normal", "glicko", "glicko2", "zonestats")


def lost(times: int) -> Duels:
    """The first player loses against the second, again and again."""
    return Duels(np.zeros(times, int), np.ones(times, int), np.zeros(times))


def low(players: int, *, played: int = 50) -> Ratings:
    """Everybody established, with 10 points."""
    games = np.full(players, played)
    return Ratings(np.full(players, 10.0), None, None, games, games.copy())


@pytest.mark.parametrize("system", ["elo", "elo_normal"])
@pytest.mark.parametrize("played", [0, 50])
def test_from_ten_points_nobody_falls_below_nothing(system: str, played: int) -> None:
    rater = create(system, start=10)
    for rate in (rater.rate, rater.rate_event):
        after = rate(low(2, played=played), lost(3))
        assert after.value[0] == 0
        assert after.value[1] > 30


def test_zonestats_from_five_points() -> None:
    """Without a floor the second player would have -15."""
    both = np.arange(2)
    score, minutes = np.array([30.0, 10.0]), np.array([20.0, 20.0])
    contests = Contests(np.zeros(2, int), both, both, both, np.ones(2), score, minutes)
    rater = create("zonestats", start=5)
    for rate in (rater.rate, rater.rate_event):
        assert rate(rater.initial(2), contests).value.tolist() == [25, 0]


@pytest.mark.parametrize("system", ["glicko", "glicko2"])
def test_a_period_of_losses(system: str) -> None:
    rater = create(system, start=10)
    after, sums = rater.rate_event_summed(rater.initial(2), lost(5))
    assert after.value[0] == 0
    assert after.value[1] > 100
    assert rater.rate_event(rater.initial(3), lost(5)).value.tolist()[::2] == [0, 10]
    assert len(sums.expected) == 2


def test_who_is_rated_late_meets_the_rating_that_the_floor_has_left() -> None:
    """A new player of 10 points loses: the established one meets 0, not -15."""
    games = np.array([0, 50])
    before = Ratings(np.array([10.0, 10.0]), None, None, games, games.copy())
    rater = create("elo", start=10, halve_against_provisional=False)
    expected = 1 / (1 + 10 ** (-10 / 400))
    for rate in (rater.rate, rater.rate_event):
        after = rate(before, lost(1))
        assert after.value.tolist() == pytest.approx([0, 10 + 32 * (1 - expected)])


@pytest.mark.parametrize("system", FLOORED)
def test_nobody_begins_below_it(system: str) -> None:
    with pytest.raises(ParameterError, match="must not be below"):
        create(system, start=100, floor=200)


def rates(rater: System) -> list[Callable[..., Ratings]]:
    return [rater.rate, rater.rate_event]


@given(
    strategies.ratings(N, with_deviation=True),
    strategies.duels(N),
    st.sampled_from(["elo", "elo_normal", "glicko", "glicko2"]),
    st.floats(0, 1500),
)
def test_nobody_who_has_played_is_below_it(
    before: Ratings, games: Duels, system: str, floor: float
) -> None:
    rater = create(system, floor=floor)
    played = np.zeros(N, dtype=bool)
    played[games.first] = played[games.second] = True
    for rate in rates(rater):
        after = rate(before, games).value
        assert (after[played] >= floor).all()
        assert after[~played].tolist() == before.value[~played].tolist()


@given(strategies.ratings(N), strategies.duels(N), st.floats(1, 500))
def test_where_it_keeps_points_the_pool_gains_just_those(
    before: Ratings, games: Duels, alpha: float
) -> None:
    """Of a system whose games are zero-sum: what comes into the pool is what losers were spared, game by game."""
    rater = create("elo_normal", alpha=alpha / 1000)
    after, changes = rater.rate_explained(before, games)
    spared = changes.value_after - changes.value_before - changes.contribution
    assert (spared >= -1e-9).all()
    assert after.value.sum() == pytest.approx(before.value.sum() + spared.sum(), abs=1e-6)


@given(strategies.ratings(N), strategies.duels(N), strategies.elo_parameters())
def test_games_in_pieces_give_the_same_bits(
    before: Ratings, games: Duels, parameters: dict[str, object]
) -> None:
    rater = create("elo", floor=300, **parameters)
    at_once, explained = rater.rate_explained(before, games)
    piecewise = before
    for game in range(len(games)):
        piecewise = rater.rate(piecewise, games.part(game, game + 1))
    assert piecewise.value.tolist() == at_once.value.tolist()
    assert rater.rate(before, games).value.tolist() == at_once.value.tolist()
    assert (explained.value_after >= 300).all()


def test_what_time_takes_stops_there_too() -> None:
    assert create("elo", floor=100).drift.floor == 100
    assert create("frags", decay=5).drift.floor == 0


def test_a_match_that_ends_there_says_so() -> None:
    change = MatchChange(
        expected=0.5,
        actual=0.0,
        forecast=0.5,
        weight=50.0,
        points=-10.0,
        decimals=0,
        status=2,
        opponent_status=2,
        opponent_deviation=None,
        is_alone=True,
        value_after=0.0,
        deviation_after=None,
        teams=2,
        team_size=1,
        opponents=1,
        share=1.0,
        minutes=None,
        score=None,
    )
    told = [said.text for said in declaration_of("elo").explain(change)]
    assert "costs the remaining" in told[1]
    assert told[-1] == "This is the lowest rating that there is: nobody falls below it."
    whole = replace(change, points=-25.0)
    assert told[-1] not in [said.text for said in declaration_of("elo").explain(whole)]
