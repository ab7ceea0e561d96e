"""Glicko-2: published figures, time, floor and ceiling, volatility, what is refused."""

import math

import numpy as np
import pytest

from ratings.systems import Duels, ParameterError, Ratings, create
from ratings.systems.glicko2 import Glicko2, Glicko2Parameters, settle_volatility
from tests.ratings.systems.glicko.glicko2_reference import Player, Rules, new_volatility, rate_all

EVENT = Duels(np.array([0, 0, 0]), np.array([1, 2, 3]), np.array([1.0, 0.0, 0.0]))
SCALE = 400 / math.log(10)


def players(*rows: tuple[float, float], volatility: float | None = 0.06, games: int = 0) -> Ratings:
    value, deviation = np.array(rows, dtype=float).T
    sigma = None if volatility is None else np.full(len(rows), volatility)
    played = np.full(len(rows), games)
    return Ratings(value, deviation, sigma, played, played)


def deviation_of(ratings: Ratings) -> np.ndarray:
    assert ratings.deviation is not None
    return ratings.deviation


def volatility_of(ratings: Ratings) -> np.ndarray:
    assert ratings.volatility is not None
    return ratings.volatility


def columns(ratings: Ratings) -> list[list[float]]:
    return [column.tolist() for column in (ratings.value, ratings.deviation, ratings.volatility)]  # type: ignore[union-attr]


@pytest.fixture
def field() -> Ratings:
    return players((1500, 200), (1400, 30), (1550, 100), (1700, 300))


def made(**parameters: object) -> Glicko2:
    return Glicko2(Glicko2Parameters.build(parameters))


class TestRate:
    def test_published_example(self, field: Ratings) -> None:
        after = create("glicko2", tau=0.5).rate(field, EVENT)
        assert after.value[0] == pytest.approx(1464.050671, abs=5e-7)
        assert deviation_of(after)[0] == pytest.approx(151.516522, abs=5e-7)
        assert volatility_of(after)[0] == pytest.approx(0.059996, abs=5e-7)

    @pytest.mark.parametrize("moved", [-1200, 700, 1900])
    def test_only_differences_count(self, field: Ratings, moved: float) -> None:
        """μ is not 0: μ² for φ² in f would show."""
        elsewhere = players(*zip(field.value + moved, deviation_of(field), strict=True))
        after, wanted = (create("glicko2").rate(before, EVENT) for before in (elsewhere, field))
        assert after.value - moved == pytest.approx(wanted.value, abs=1e-9)
        assert volatility_of(after) == pytest.approx(volatility_of(wanted), rel=1e-12)
        by_hand = rate_all(elsewhere, EVENT, Rules())
        assert after.value == pytest.approx([row[0] for row in by_hand], rel=1e-12)
        assert volatility_of(after) == pytest.approx([row[2] for row in by_hand], rel=1e-12)

    def test_opponents_count_as_they_were_before_the_period(self, field: Ratings) -> None:
        alone = Duels(np.array([0]), np.array([3]), np.array([0.0]))
        system = create("glicko2")
        assert system.rate(field, EVENT).value[3] == system.rate(field, alone).value[3]

    def test_every_method_rates_one_period(self, field: Ratings) -> None:
        system = made()
        wanted, changes = system.rate_explained(field, EVENT)
        rated = [system.rate(field, EVENT), system.rate_event(field, EVENT)]
        rated += [
            system.rate_event_explained(field, EVENT)[0],
            system.rate_settled(field, EVENT)[0],
        ]
        for after in rated:
            assert np.array_equal(after.value, wanted.value)
            assert np.array_equal(deviation_of(after), deviation_of(wanted))
            assert np.array_equal(volatility_of(after), volatility_of(wanted))
        assert changes.expected[::2] == pytest.approx([0.639468, 0.431842, 0.302841], abs=5e-7)

    def test_weight_is_what_a_full_surprise_is_worth(self, field: Ratings) -> None:
        after, changes = create("glicko2").rate_explained(field, EVENT)
        assert changes.weight[0] == pytest.approx(151.516522**2 / SCALE * 0.995498, rel=1e-6)
        gained = changes.contribution[::2].sum()
        assert after.value[0] - 1500 == pytest.approx(gained, abs=1e-9)

    def test_who_did_not_play_is_unchanged(self) -> None:
        before = players((1500, 200), (1400, 30), (1650, 12.5))
        after = create("glicko2").rate(before, Duels([0], [1], [1.0]))  # type: ignore[arg-type]
        assert (after.value[2], deviation_of(after)[2], after.games[2]) == (1650, 12.5, 0)
        assert volatility_of(after)[2] == 0.06

    def test_deviation_stays_above_the_floor(self) -> None:
        many = Duels(np.zeros(2000, int), np.ones(2000, int), np.full(2000, 0.5))
        after = create("glicko2").rate(players((1500, 30), (1500, 31)), many)
        assert deviation_of(after).tolist() == [30, 30]

    def test_deviation_stays_below_the_ceiling(self) -> None:
        far = players((0, 350), (4000, 350), volatility=0.15)
        after = create("glicko2").rate(far, Duels([0], [1], [0.0]))  # type: ignore[arg-type]
        assert deviation_of(after).tolist() == [350, 350]

    def test_without_volatility_everybody_has_that_of_the_start(self, field: Ratings) -> None:
        bare = players(*zip(field.value, deviation_of(field), strict=True), volatility=None)
        system = create("glicko2")
        assert volatility_of(system.rate(bare, EVENT))[0] == pytest.approx(0.059996, abs=5e-7)
        aged = system.age(bare, 4.0)
        assert deviation_of(aged) == pytest.approx(deviation_of(system.age(field, 4.0)))


class TestVolatility:
    def test_starts_as_told(self) -> None:
        assert volatility_of(create("glicko2", volatility=0.08).initial(2)).tolist() == [0.08] * 2

    def test_surprises_raise_it_and_calm_lowers_it(self) -> None:
        before = players((1500, 50), (1500, 50))
        upset = Duels(np.zeros(30, int), np.ones(30, int), np.ones(30))
        calm = Duels(np.zeros(30, int), np.ones(30, int), np.full(30, 0.5))
        system = create("glicko2")
        assert (volatility_of(system.rate(before, upset)) > 0.0601).all()
        assert (volatility_of(system.rate(before, calm)) < 0.06).all()

    @pytest.mark.parametrize("cap", [0.06, 0.08, 0.15])
    def test_is_capped(self, cap: float) -> None:
        before = players((1500, 30), (1500, 30))
        upset = Duels(np.zeros(400, int), np.ones(400, int), np.ones(400))
        after = create("glicko2", tau=1.2, volatility_max=cap).rate(before, upset)
        assert volatility_of(after).tolist() == [cap, cap]

    def test_what_is_above_the_cap_already_counts_as_the_cap(self) -> None:
        system = create("glicko2", volatility_max=0.1)
        wild, capped = players((1500, 100), volatility=0.4), players((1500, 100), volatility=0.1)
        assert deviation_of(system.age(wild, 1)) == deviation_of(system.age(capped, 1))
        wild, capped = (players((1500, 100), (1500, 100), volatility=v) for v in (0.4, 0.1))
        game = Duels([0], [1], [1.0])  # type: ignore[arg-type]
        assert columns(system.rate(wild, game)) == columns(system.rate(capped, game))

    def test_says_how_it_was_found(self, field: Ratings) -> None:
        _, settled = made().rate_settled(field, EVENT)
        assert settled.is_settled.all()
        assert len(settled.steps) == 4
        assert settled.steps.max() <= 3

    @pytest.mark.parametrize("tau", [0.01, 0.3, 1.2, 5])
    @pytest.mark.parametrize("cap", [0.15, 10])
    @pytest.mark.parametrize("volatility", [1e-6, 0.06, 0.15])
    def test_a_thousand_upsets_in_one_period(
        self, tau: float, cap: float, volatility: float
    ) -> None:
        for rows in (((0, 350), (3500, 350)), ((0, 30), (3500, 30)), ((1500, 350), (1500, 30))):
            before = players(*rows, volatility=volatility)
            games = Duels(np.zeros(1000, int), np.ones(1000, int), np.ones(1000))
            after, settled = made(tau=tau, volatility_max=cap).rate_settled(before, games)
            assert settled.is_settled.all()
            assert np.isfinite(after.value).all()
            assert np.isfinite(deviation_of(after)).all()
            assert ((volatility_of(after) >= 1e-6) & (volatility_of(after) <= cap)).all()

    def test_a_bracket_takes_over_where_newton_fails(self) -> None:
        """A far upset bends f so much that its tangents lead nowhere."""
        sigma, variance, information, surprise, tau = 0.73, 0.015, 5.15, 104.9, 1.2
        columns = (np.array([x]) for x in (sigma, variance, information, surprise))
        settled = settle_volatility(*columns, tau=tau, highest=10)
        assert settled.is_settled.all()
        assert settled.steps[0] > 8
        player = Player(0.0, math.sqrt(variance), sigma)
        v, delta = 1 / information, surprise / information
        wanted = new_volatility(player, v, delta, Rules(tau=tau))
        assert settled.volatility[0] == pytest.approx(wanted, rel=1e-12)

    def test_says_so_when_the_steps_run_out(self) -> None:
        columns = (np.array([x, y]) for x, y in ((0.73, 0.06), (0.015, 1), (5.15, 4), (104.9, 1)))
        settled = settle_volatility(*columns, tau=1.2, highest=10, most_steps=8)
        assert settled.is_settled.tolist() == [False, True]
        assert settled.steps.tolist() == [8, 2]
        assert 0.73 < settled.volatility[0] < 10


class TestTime:
    def test_deviation_grows_with_volatility(self) -> None:
        aged = create("glicko2").age(players((1500, 50), (1500, 50)), np.array([1.0, 2.5]))
        growth = (0.06 * SCALE) ** 2
        assert deviation_of(aged) == pytest.approx(np.sqrt(2500 + growth * np.array([1, 2.5])))
        assert volatility_of(aged).tolist() == [0.06, 0.06]

    def test_deviation_stays_below_the_ceiling(self) -> None:
        assert deviation_of(create("glicko2").age(players((1500, 300)), 1e300)).tolist() == [350]

    @pytest.mark.parametrize("periods", [-1, math.nan, math.inf])
    def test_impossible_times_are_refused(self, periods: float) -> None:
        with pytest.raises(ValueError, match="periods"):
            create("glicko2").age(players((1500, 120)), periods)

    def test_periods_until_a_threshold(self) -> None:
        system = create("glicko2")
        periods = system.periods_until(np.array([50.0, 110.0, 200.0]), 110)
        assert periods[1:].tolist() == [0, 0]
        aged = system.age(players((1500, 50)), periods[0])
        assert deviation_of(aged)[0] == pytest.approx(110)
        assert system.periods_until(np.array([50.0, 400.0]), 351).tolist() == [math.inf, 0]

    def test_the_volatile_are_forgotten_sooner(self) -> None:
        periods = made().periods_until([50.0, 50.0], 110, [0.06, 0.12])
        assert periods[0] == pytest.approx(4 * periods[1])


class TestStatus:
    def test_a_vague_rating_is_provisional(self) -> None:
        before = players((1500, 110), (1500, 110.5), games=30)
        assert create("glicko2").status(before).tolist() == [2, 1]

    def test_games_against_established_players_count(self) -> None:
        before = Ratings([1500.0] * 2, [50.0, 200.0], [0.06] * 2, [30] * 2, [30] * 2)  # type: ignore[arg-type]
        game = Duels(np.array([0]), np.array([1]), np.array([0.5]))
        assert create("glicko2").rate(before, game).counted.tolist() == [30, 31]
        assert create("glicko2").rate(before, game, all_count=True).counted.tolist() == [31, 31]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"volatility": 0.2}, r"^volatility_max = 0\.15: must not be below volatility"),
        ({"tau": 0}, r"^tau = 0: must be a number from 0\.01 to 5$"),
        ({"deviation_start": 400}, r"^deviation_start = 400\.0: must lie between"),
        ({"c": 30}, r"^c = 30: unknown"),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        create("glicko2", **parameters)
