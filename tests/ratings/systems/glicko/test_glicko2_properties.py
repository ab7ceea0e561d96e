"""Glicko-2: what holds for every input, and agreement with the Illinois method."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ratings.systems import Duels, Ratings, create
from ratings.systems.glicko2 import settle_volatility
from tests.ratings.systems import strategies
from tests.ratings.systems.glicko.glicko2_reference import (
    Player,
    Rules,
    f_of,
    new_volatility,
    rate_all,
)

N = 5
GLICKO2 = create("glicko2")
FINITE = st.floats(allow_nan=False, allow_infinity=False)
TAUS = st.floats(0.2, 1.5)
SIDES = st.sampled_from([-1.0, 0.0, 1.0])


@st.composite
def ratings(draw: st.DrawFn, players: int = N) -> Ratings:
    """Players of every status and volatility."""
    some = draw(strategies.ratings(players, with_deviation=True, high_up=True))
    sigma = draw(st.lists(st.floats(0.02, 0.15), min_size=players, max_size=players))
    return Ratings(some.value, some.deviation, np.array(sigma), some.games, some.counted)


def columns(ratings: Ratings) -> np.ndarray:
    assert ratings.deviation is not None
    assert ratings.volatility is not None
    return np.stack((ratings.value, ratings.deviation, ratings.volatility))


def assert_same(one: Ratings, other: Ratings) -> None:
    assert columns(one) == pytest.approx(columns(other), abs=1e-9)
    assert one.games.tolist() == other.games.tolist()
    assert one.counted.tolist() == other.counted.tolist()


@given(ratings(), strategies.duels(N), TAUS, st.sampled_from([0.08, 0.15, 5.0]), st.data())
def test_agrees_with_the_illinois_method(
    before: Ratings, games: Duels, tau: float, cap: float, data: st.DataObject
) -> None:
    side = np.array(data.draw(st.lists(SIDES, min_size=len(games), max_size=len(games))))
    sided = Duels(games.first, games.second, games.score, side)
    start = min(0.06, cap)
    system = create(
        "glicko2", tau=tau, volatility_max=cap, volatility=start, side_advantage=40, start=1200
    )
    assert before.volatility is not None
    capped = Ratings(
        before.value,
        before.deviation,
        np.minimum(before.volatility, cap),
        before.games,
        before.counted,
    )
    wanted = rate_all(capped, sided, Rules(tau=tau, side=40, volatility_max=cap))
    after = columns(system.rate(capped, sided)).T
    assert after == pytest.approx(np.array(wanted), rel=1e-9, abs=1e-9)


@given(
    st.floats(-6, 0.9),
    st.floats(0, 3),
    st.floats(-6, 3),
    st.floats(-2, 3),
    st.floats(0.05, 3),
)
def test_any_volatility_is_a_root_and_the_only_one_is_found(
    sigma: float, deviation: float, information: float, surprise: float, tau: float
) -> None:
    """Over many orders of magnitude; all but tau are given as powers of ten."""
    sigma, phi, known, beaten = 10**sigma, 10**deviation / 173.7, 10**information, 10**surprise
    given_columns = (np.array([x]) for x in (sigma, phi * phi, known, beaten))
    settled = settle_volatility(*given_columns, tau=tau, highest=10)
    assert settled.is_settled.all()
    found, player = settled.volatility[0], Player(0.0, phi, sigma)
    v, delta = 1 / known, beaten / known

    def f(relative: float) -> float:
        return f_of(player, v, delta, tau, 2 * math.log(found) + 2 * math.log(relative))

    assert f(1 - 1e-7) > 0 or found == pytest.approx(1e-6)
    assert f(1 + 1e-7) < 0 or found == 10
    if delta**2 * tau**2 < 8 * (phi**2 + v):  # then f falls everywhere
        wanted = new_volatility(player, v, delta, Rules(tau=tau))
        assert found == pytest.approx(min(max(wanted, 1e-6), 10), rel=1e-9)


@given(st.data(), ratings(), strategies.duels(N))
def test_order_of_games_changes_nothing(data: st.DataObject, before: Ratings, games: Duels) -> None:
    order = np.array(data.draw(st.permutations(range(len(games)))), dtype=np.int64)
    shuffled = Duels(games.first[order], games.second[order], games.score[order])
    swapped = Duels(games.second, games.first, 1 - games.score)
    wanted = GLICKO2.rate(before, games)
    assert_same(GLICKO2.rate(before, shuffled), wanted)
    assert_same(GLICKO2.rate(before, swapped), wanted)


@given(ratings(), strategies.duels(N), st.permutations(range(N)))
def test_names_of_players_do_not_matter(before: Ratings, games: Duels, places: list[int]) -> None:
    new_place = np.argsort(places)
    renamed = Duels(new_place[games.first], new_place[games.second], games.score)
    assert_same(
        GLICKO2.rate(before.take(places), renamed), GLICKO2.rate(before, games).take(places)
    )


@given(ratings(), strategies.duels(N))
def test_strangers_change_no_bit(before: Ratings, games: Duels) -> None:
    """Who is rated in the same call must not matter: replays are cut in other pieces."""
    stranger = before.take([*range(N), 0, 1])
    more = Duels(
        np.append(games.first, N), np.append(games.second, N + 1), np.append(games.score, 1.0)
    )
    alone, together = GLICKO2.rate(before, games), GLICKO2.rate(stranger, more).take(range(N))
    assert np.array_equal(columns(alone), columns(together))


@given(ratings(), strategies.duels(N))
def test_contributions_add_up_to_the_change(before: Ratings, games: Duels) -> None:
    after, changes = GLICKO2.rate_explained(before, games)
    gained = np.bincount(changes.player, weights=changes.contribution, minlength=N)
    assert after.value - before.value == pytest.approx(gained, abs=1e-9)


@given(ratings(), strategies.duels(N), st.floats(0, 100))
def test_play_makes_surer_than_rest_and_time_less_sure(
    before: Ratings, games: Duels, time: float
) -> None:
    after = GLICKO2.rate(before, games)
    wildest = np.maximum(columns(before)[2], columns(after)[2])
    rested = np.sqrt(columns(before)[1] ** 2 + (wildest * 400 / math.log(10)) ** 2)
    assert (columns(after)[1] <= rested + 1e-9).all()
    assert (columns(GLICKO2.age(before, time))[1] >= columns(before)[1]).all()


@given(ratings(2))
def test_a_better_score_never_costs_points(before: Ratings) -> None:
    def first_after(score: float) -> float:
        return float(GLICKO2.rate(before, Duels([0], [1], [score])).value[0])  # type: ignore[arg-type]

    assert first_after(0.0) <= before.value[0] <= first_after(1.0)
    assert first_after(0.0) <= first_after(0.5) <= first_after(1.0)


@given(ratings(2), st.sampled_from(["glicko", "glicko2"]), SIDES, st.floats(-500, 500))
def test_predictions_are_symmetric(
    before: Ratings, name: str, side: float, advantage: float
) -> None:
    system = create(name, side_advantage=advantage)
    both = system.expected(before, [0, 1], [1, 0], [side, -side])
    assert both.sum() == pytest.approx(1, abs=1e-12)
    assert ((both >= 0) & (both <= 1)).all()


@given(ratings(1), st.floats(0, 500), st.floats(0, 500))
def test_time_adds_up(before: Ratings, first: float, second: float) -> None:
    in_two = GLICKO2.age(GLICKO2.age(before, first), second)
    assert columns(in_two) == pytest.approx(columns(GLICKO2.age(before, first + second)), abs=1e-9)


@given(ratings(1), st.floats(30, 350))
def test_a_threshold_is_reached_when_it_was_said_to_be(before: Ratings, threshold: float) -> None:
    deviation, volatility = columns(before)[1:]
    assume(volatility[0] > 0.02)
    periods = create("glicko2").periods_until(deviation, threshold, volatility)
    aged = columns(GLICKO2.age(before, periods))[1]
    assert aged == pytest.approx([max(deviation[0], threshold)], abs=1e-9)


@given(
    st.lists(FINITE, min_size=N, max_size=N),
    st.lists(FINITE, min_size=N, max_size=N),
    st.lists(FINITE, min_size=N, max_size=N),
    strategies.duels(N),
    st.floats(0.01, 5),
    st.floats(0.06, 10),
)
def test_finite_for_every_finite_input(
    value: list[float],
    deviation: list[float],
    volatility: list[float],
    games: Duels,
    tau: float,
    cap: float,
) -> None:
    system = create("glicko2", tau=tau, volatility_max=cap)
    nothing = np.zeros(N, dtype=np.int64)
    before = Ratings(np.array(value), np.array(deviation), np.array(volatility), nothing, nothing)
    after = system.age(system.rate(before, games), 3.5)
    assert np.isfinite(columns(after)).all()
    assert np.isfinite(system.expected(before, range(N), [0] * N)).all()
    _, changes = system.rate_explained(before, games)
    assert np.isfinite(changes.weight).all()
