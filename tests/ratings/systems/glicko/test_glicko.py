"""Glicko: published figures, time, floor and ceiling, status."""

import math

import numpy as np
import pytest

from ratings.systems import Duels, ParameterError, Ratings, create, forgetting_constant
from ratings.systems.glicko.period import attenuation

EVENT = Duels(np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([1.0, 0.0, 0.0]))


def players(*rows: tuple[float, float], games: int = 0) -> Ratings:
    value, deviation = np.array(rows).T
    played = np.full(len(rows), games)
    return Ratings(value, deviation, None, played, played)


@pytest.fixture
def field() -> Ratings:
    return players((1500, 200), (1400, 30), (1550, 100), (1700, 300))


class TestRate:
    def test_published_example(self, field: Ratings) -> None:
        after, changes = create("glicko").rate_explained(field, EVENT)
        assert after.value[0] == pytest.approx(1464.106463, abs=5e-7)
        assert after.deviation is not None
        assert after.deviation[0] == pytest.approx(151.398902, abs=5e-7)
        assert changes.expected[::2] == pytest.approx([0.639468, 0.431842, 0.302841], abs=5e-7)
        assert changes.value_before[0] + changes.contribution[::2].sum() == pytest.approx(
            after.value[0], abs=1e-9
        )

    def test_attenuation(self) -> None:
        g = attenuation(np.array([30.0, 100.0, 300.0]))
        assert g == pytest.approx([0.995498, 0.953149, 0.724235], abs=5e-7)

    def test_opponents_count_as_they_were_before_the_period(self, field: Ratings) -> None:
        glicko = create("glicko")
        alone = Duels(np.array([0]), np.array([3]), np.array([0.0]))
        together = glicko.rate(field, EVENT).value[3]
        assert together == glicko.rate(field, alone).value[3]

    def test_every_method_rates_one_period(self, field: Ratings) -> None:
        glicko = create("glicko")
        rated = [glicko.rate(field, EVENT), glicko.rate_event(field, EVENT)]
        rated += [glicko.rate_event_explained(field, EVENT)[0]]
        wanted = glicko.rate_explained(field, EVENT)[0]
        for after in rated:
            assert np.array_equal(after.value, wanted.value)

    def test_weight_is_what_a_full_surprise_is_worth(self, field: Ratings) -> None:
        _, changes = create("glicko").rate_explained(field, EVENT)
        q, d = math.log(10) / 400, 151.398902
        assert changes.weight[0] == pytest.approx(q * d * d * 0.995498, rel=1e-6)
        surprise = changes.actual - changes.expected
        assert changes.contribution == pytest.approx(changes.weight * surprise)

    def test_who_did_not_play_is_unchanged(self) -> None:
        before = players((1500, 200), (1400, 30), (1650, 12.5))
        after = create("glicko").rate(before, Duels([0], [1], [1.0]))  # type: ignore[arg-type]
        assert after.deviation is not None
        assert (after.value[2], after.deviation[2], after.games[2]) == (1650, 12.5, 0)

    def test_deviation_stays_above_the_floor(self) -> None:
        before = players((1500, 30), (1500, 31))
        many = Duels(np.zeros(200, int), np.ones(200, int), np.full(200, 0.5))
        after = create("glicko").rate(before, many)
        assert after.deviation is not None
        assert after.deviation.tolist() == [30, 30]

    def test_ratings_without_deviation_are_refused(self) -> None:
        with pytest.raises(ValueError, match="no deviation"):
            create("glicko").rate(create("elo").initial(4), EVENT)


class TestTime:
    def test_an_average_player_is_forgotten_after_a_hundred_periods(self) -> None:
        c = forgetting_constant(days_to_forget=3000, period_days=30)
        assert c == pytest.approx(34.641016, abs=5e-7)
        glicko = create("glicko", c=c)
        aged = glicko.age(players((1500, 50), (1500, 50)), np.array([100.0, 99.0]))
        assert aged.deviation is not None
        assert aged.deviation[0] == pytest.approx(350, abs=1e-9)
        assert aged.deviation[1] < 349

    def test_the_constant_follows_the_period_length(self) -> None:
        short = forgetting_constant(days_to_forget=3000, period_days=7.5)
        assert short * 2 == pytest.approx(34.641016, abs=1e-6)

    def test_the_default_forgets_in_a_hundred_periods(self) -> None:
        assert create("glicko").parameters["c"] == pytest.approx(34.641016, abs=5e-7)

    def test_deviation_stays_below_the_ceiling(self) -> None:
        aged = create("glicko").age(players((1500, 300)), 1e300)
        assert aged.deviation is not None
        assert aged.deviation[0] == 350

    def test_without_growth_nobody_is_forgotten(self) -> None:
        aged = create("glicko", c=0).age(players((1500, 120)), 1e300)
        assert aged.deviation is not None
        assert aged.deviation[0] == 120

    @pytest.mark.parametrize("periods", [-1, math.nan, math.inf])
    def test_impossible_times_are_refused(self, periods: float) -> None:
        with pytest.raises(ValueError, match="periods"):
            create("glicko").age(players((1500, 120)), periods)

    def test_periods_until_a_threshold(self) -> None:
        glicko = create("glicko", c=20)
        periods = glicko.periods_until(np.array([50.0, 110.0, 200.0]), 110)
        assert periods.tolist() == [(110**2 - 50**2) / 400, 0, 0]
        aged = glicko.age(players((1500, 50)), periods[0])
        assert aged.deviation is not None
        assert aged.deviation[0] == pytest.approx(110)

    def test_some_thresholds_are_never_reached(self) -> None:
        deviation = np.array([50.0, 400.0])
        assert create("glicko").periods_until(deviation, 351).tolist() == [math.inf, 0]
        assert create("glicko", c=0).periods_until(deviation, 110).tolist() == [math.inf, 0]

    def test_impossible_lengths_are_refused_by_name(self) -> None:
        with pytest.raises(ParameterError, match="period_days = 0"):
            forgetting_constant(days_to_forget=100, period_days=0)
        with pytest.raises(ParameterError, match="average_deviation = 351"):
            forgetting_constant(days_to_forget=100, period_days=1, average_deviation=351)


class TestStatus:
    def test_a_vague_rating_is_provisional(self) -> None:
        before = players((1500, 110), (1500, 110.5), games=30)
        assert create("glicko").status(before).tolist() == [2, 1]
        tuned = create("glicko", provisional_deviation=120, established_after=31)
        assert tuned.status(before).tolist() == [1, 1]

    def test_new_before_the_first_game(self) -> None:
        assert create("glicko").status(create("glicko").initial(2)).tolist() == [0, 0]

    def test_games_against_established_players_count(self) -> None:
        before = players((1500, 50), (1500, 50), games=30)
        vague = Ratings(before.value, np.array([50.0, 200.0]), None, before.games, before.games)
        game = Duels(np.array([0]), np.array([1]), np.array([0.5]))
        assert create("glicko").rate(vague, game).counted.tolist() == [30, 31]
        assert create("glicko").rate(vague, game, all_count=True).counted.tolist() == [31, 31]


class TestPrediction:
    def test_both_deviations_enter(self, field: Ratings) -> None:
        chance = create("glicko").expected(field, [0], [3])
        g = attenuation(np.array([math.hypot(200, 300)]))[0]
        assert chance[0] == pytest.approx(1 / (1 + 10 ** (g * 200 / 400)))

    def test_uncertainty_moves_a_prediction_towards_even(self) -> None:
        before = players((1600, 50), (1500, 50), (1500, 350))
        sure, unsure = create("glicko").expected(before, [0, 0], [1, 2])
        assert 0.5 < unsure < sure
