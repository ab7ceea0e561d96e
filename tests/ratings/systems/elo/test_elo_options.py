"""Elo's options: draws of their own, sides, and both estimated from a history."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Duels, Ratings
from ratings.systems.elo import (
    Elo,
    EloParameters,
    ahead_before,
    estimate_draws_and_side,
    outcome_chances,
)
from tests.ratings.systems import strategies

N = 6
NU, GAMMA, SIDE = st.floats(0, 5), st.floats(0.05, 20), st.sampled_from([-1.0, 0.0, 1.0])


def elo(**options: object) -> Elo:
    return Elo(EloParameters.build(options))


def with_sides(games: Duels, sides: list[float]) -> Duels:
    return Duels(games.first, games.second, games.score, np.resize(sides, len(games)))


class TestChances:
    def test_known_figures(self) -> None:
        win, draw, loss = outcome_chances(200, draw_nu=1)
        assert [float(c) for c in (win, draw, loss)] == pytest.approx(
            [0.532320, 0.299346, 0.168334], abs=5e-7
        )
        assert float(win + draw / 2) == pytest.approx(0.681993, abs=5e-7)
        both = Ratings(np.array([1700.0, 1500.0]), None, None, np.zeros(2, int), np.zeros(2, int))
        assert elo(draw_nu=1).expected(both, 0, 1) == pytest.approx(0.681993, abs=5e-7)
        assert elo(draw_nu=1).chances(both, [0], [1]).draw == pytest.approx([0.299346], abs=5e-7)

    @given(st.floats(-3000, 3000), NU, GAMMA, SIDE)
    def test_as_the_formulas_read(self, ahead: float, nu: float, gamma: float, side: float) -> None:
        own, other = 10 ** (ahead / 800), 10 ** (-ahead / 800)
        wins, losses = own * gamma ** (side < 0), other * gamma ** (side > 0)
        draws = nu * math.sqrt(own * other)
        z = wins + draws + losses
        chances = outcome_chances(ahead, side=side, draw_nu=nu, side_gamma=gamma)
        wanted = [wins / z, draws / z, losses / z]
        assert [float(c) for c in chances] == pytest.approx(wanted, rel=1e-9)
        pair = Ratings(np.array([ahead, 0.0]), None, None, np.zeros(2, int), np.zeros(2, int))
        expected = elo(draw_nu=nu, side_gamma=gamma).expected(pair, 0, 1, side)
        assert expected == pytest.approx((wins + draws / 2) / z, rel=1e-9)

    @given(st.floats(allow_nan=False), NU, GAMMA, st.floats(-1, 1))
    def test_whatever_the_numbers_they_add_up(
        self, ahead: float, nu: float, gamma: float, side: float
    ) -> None:
        chances = outcome_chances(ahead, side=side, draw_nu=nu, side_gamma=gamma)
        assert all(0 <= chance <= 1 for chance in chances)
        assert float(sum(chances)) == pytest.approx(1, abs=1e-12)
        turned = outcome_chances(-ahead, side=-side, draw_nu=nu, side_gamma=gamma)
        assert [float(c) for c in turned[::-1]] == pytest.approx([float(c) for c in chances])

    def test_shapes_are_kept(self) -> None:
        chances = outcome_chances([[0, 100], [200, 300]], side=[1, -1], draw_nu=0.5)
        assert chances.win.shape == chances.draw.shape == chances.loss.shape == (2, 2)
        assert outcome_chances([]).win.shape == (0,)

    def test_a_gamma_below_one_favours_the_better_side_and_neutral_ground_nobody(self) -> None:
        even = Ratings(np.full(2, 1500.0), None, None, np.zeros(2, int), np.zeros(2, int))
        expected = elo(side_gamma=0.5).expected(even, [0, 0, 0], [1, 1, 1], [1, 0, -1])
        assert expected == pytest.approx([2 / 3, 1 / 2, 1 / 3])

    @given(st.floats(0, 3000), st.floats(0, 3000), NU, GAMMA, SIDE)
    def test_expectations_never_fall_with_the_difference(
        self, one: float, other: float, nu: float, gamma: float, side: float
    ) -> None:
        low, high = sorted((one, other))
        pair = Ratings(np.array([low, high, 1500]), None, None, np.zeros(3, int), np.zeros(3, int))
        expected = elo(draw_nu=nu, side_gamma=gamma).expected(pair, [0, 1], [2, 2], side)
        assert expected[0] <= expected[1] + 1e-15

    @given(strategies.ratings(2), NU, GAMMA, st.floats(-1, 1))
    def test_predictions_are_symmetric(
        self, before: Ratings, nu: float, gamma: float, side: float
    ) -> None:
        system = elo(draw_nu=nu, side_gamma=gamma)
        both = system.expected(before, [0, 1], [1, 0], [side, -side])
        assert both.sum() == pytest.approx(1, abs=1e-12)


def play_all(system: Elo, before: Ratings, games: Duels) -> list[float]:
    """Game by game through `expected` and the stages of one game."""
    k = {0: system.settings.k_new, 1: system.settings.k_provisional}
    ratings = before
    for game in range(len(games)):
        duel = games.part(game, game + 1)
        a, b, score = int(duel.first[0]), int(duel.second[0]), float(duel.score[0])
        side = 0.0 if duel.side is None else float(duel.side[0])
        value, status = ratings.value.copy(), system.status(ratings)
        for stage in (0, 1):
            seen = Ratings(value.copy(), None, None, ratings.games, ratings.counted)
            for own, other, reached, sign in ((a, b, score, side), (b, a, 1 - score, -side)):
                if status[own] == stage:
                    expected = float(system.expected(seen, own, other, sign))
                    value[own] = seen.value[own] + k[stage] * (reached - expected)
        count = ratings.games.copy()
        count[[a, b]] += 1
        ratings = Ratings(value, None, None, count, ratings.counted)
    values: list[float] = ratings.value.tolist()
    return values


@given(strategies.duels(N), NU, GAMMA, st.lists(SIDE, min_size=1, max_size=7), st.integers(0, 40))
def test_streams_follow_the_options(
    games: Duels, nu: float, gamma: float, sides: list[float], cut: int
) -> None:
    system, played = elo(draw_nu=nu, side_gamma=gamma), with_sides(games, sides)
    before = Ratings(np.linspace(1200, 1900, N), None, None, [0, 0, 0, 1, 2, 3], [0] * N)  # type: ignore[arg-type]
    after = system.rate(before, played)
    assert after.value == pytest.approx(play_all(system, before, played), abs=1e-9)
    parts = system.rate(system.rate(before, played.part(0, cut)), played.part(cut, len(games)))
    assert parts.value.tolist() == after.value.tolist()


def test_waves_and_single_games_give_the_same_bits() -> None:
    random = np.random.default_rng(3)
    first = random.integers(0, 3000, 6000)
    second = (first + random.integers(1, 3000, 6000)) % 3000
    side = np.where(random.random(6000) < 0.8, random.integers(-1, 2, 6000), random.random(6000))
    games = Duels(first, second, random.integers(0, 3, 6000) / 2, side)
    system = elo(draw_nu=0.8, side_gamma=0.7, established_after=3)
    at_once, changes = system.rate_explained(system.initial(3000), games, all_count=True)
    batched = system.initial(3000)
    for start in range(0, 6000, 30):
        batched = system.rate(batched, games.part(start, start + 30), all_count=True)
    assert np.array_equal(batched.value, at_once.value)
    first_expected = changes.expected[0::2]
    assert first_expected[side == 1].mean() > first_expected[side == -1].mean() + 0.05


@given(strategies.ratings(2), strategies.SCORES, NU, GAMMA, SIDE)
def test_an_event_of_one_game_equals_the_instant_game(
    before: Ratings, score: float, nu: float, gamma: float, side: float
) -> None:
    game = Duels(np.array([0]), np.array([1]), np.array([score]), np.array([side]))
    system = elo(draw_nu=nu, side_gamma=gamma)
    instant, event = system.rate(before, game), system.rate_event(before, game)
    assert instant.value == pytest.approx(event.value, abs=1e-9)


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3),
    strategies.duels(3),
    st.floats(0, 100),
    st.floats(0.01, 100),
    st.lists(st.floats(-1, 1), min_size=1, max_size=5),
)
def test_finite_for_every_finite_rating(
    values: list[float], games: Duels, nu: float, gamma: float, sides: list[float]
) -> None:
    system = elo(draw_nu=nu, side_gamma=gamma)
    before = Ratings(np.array(values), None, None, np.array([0, 5, 50]), np.array([0, 5, 50]))
    for rate in (system.rate, system.rate_event):
        assert np.isfinite(rate(before, with_sides(games, sides)).value).all()


@given(strategies.ratings(N), strategies.duels(N), st.lists(SIDE, min_size=1, max_size=5))
def test_sides_mean_nothing_while_the_option_is_off(
    before: Ratings, games: Duels, sides: list[float]
) -> None:
    for rate in (elo().rate, elo().rate_event):
        assert np.array_equal(
            rate(before, with_sides(games, sides)).value, rate(before, games).value
        )


class TestEstimates:
    def history(self, nu: float, gamma: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        random = np.random.default_rng(8)
        ahead, side = random.normal(0, 250, 40_000), random.integers(-1, 2, 40_000)
        chances = outcome_chances(ahead, side=side, draw_nu=nu, side_gamma=gamma)
        luck = random.random(40_000)
        score = np.where(luck < chances.win, 1.0, 0.5 * (luck < chances.win + chances.draw))
        return ahead, score, side

    @pytest.mark.parametrize(("nu", "gamma"), [(0.7, 0.6), (0.1, 1.5), (2.0, 1.0), (0.0, 0.8)])
    def test_what_made_the_results_is_found(self, nu: float, gamma: float) -> None:
        ahead, score, side = self.history(nu, gamma)
        found = estimate_draws_and_side(ahead, score, side)
        assert found.draw_nu == pytest.approx(nu, abs=0.02 + 0.03 * nu)
        assert found.side_gamma == pytest.approx(gamma, rel=0.05)
        assert found.games == 40_000

    def test_nothing_else_is_likelier(self) -> None:
        ahead, score, side = self.history(0.7, 0.6)
        found = estimate_draws_and_side(ahead, score, side, class_interval=150)
        for nu, gamma in ((1.02, 1), (0.98, 1), (1, 1.02), (1, 0.98)):
            chances = outcome_chances(
                ahead,
                side=side,
                class_interval=150,
                draw_nu=found.draw_nu * nu,
                side_gamma=found.side_gamma * gamma,
            )
            happened = np.choose((2 * score).astype(int), chances[::-1])
            assert -np.log(happened).mean() > found.log_loss

    def test_without_draws_and_sides_both_stay_off(self) -> None:
        found = estimate_draws_and_side([100, -50], [1, 0])
        assert (found.draw_nu, found.side_gamma) == (0, 1)
        wanted = -np.log(outcome_chances([100, 50]).win).mean()
        assert found.log_loss == pytest.approx(wanted)

    @pytest.mark.parametrize(("score", "side"), [(0.5, 1), (1.0, 1), (0.0, 1), (1.0, -1)])
    def test_one_sided_histories_give_what_the_parameters_take(
        self, score: float, side: float
    ) -> None:
        found = estimate_draws_and_side(np.zeros(9), np.full(9, score), np.full(9, side))
        EloParameters.build({"draw_nu": found.draw_nu, "side_gamma": found.side_gamma})
        assert math.isfinite(found.log_loss)
        if score != 0.5:
            assert found.side_gamma == pytest.approx(0.01 if score == (side > 0) else 100)

    def test_sure_results_that_fail_to_come_stay_finite(self) -> None:
        found = estimate_draws_and_side([1e308, -math.inf, 0], [0, 1, 0.5], [1, 0, -1])
        assert math.isfinite(found.log_loss)

    @pytest.mark.parametrize(
        ("ahead", "score", "side"), [([], [], None), ([1], [1, 0], None), ([1], [1], [0, 1])]
    )
    def test_columns_that_do_not_fit_are_refused(
        self, ahead: list[float], score: list[float], side: list[float] | None
    ) -> None:
        with pytest.raises(ValueError, match="equally long and not empty"):
            estimate_draws_and_side(ahead, score, side)

    def test_ratings_before_each_game_come_from_the_changes(self) -> None:
        games = Duels([0, 1], [1, 0], [1.0, 1.0])  # type: ignore[arg-type]
        _, changes = elo(k_new=50).rate_explained(elo().initial(2), games)
        assert ahead_before(changes).tolist() == [0, -50]
