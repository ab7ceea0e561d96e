"""The shooter ladder: golden values, the rules one by one, what it refuses."""

import numpy as np
import pytest

from ratings.systems import Contests, Duels, Ratings, create
from ratings.systems.frags import strength_of_play


def ratings_of(*values: float, games: int = 0) -> Ratings:
    count = np.full(len(values), games)
    return Ratings(np.array(values), None, None, count, count)


def duel(first: float, second: float) -> Duels:
    points = np.array([[first, second]], dtype=float)
    score = np.array([0.5 + 0.5 * np.sign(first - second)])
    return Duels(np.array([0]), np.array([1]), score, None, points)


class TestGolden:
    @pytest.mark.parametrize("method", ["rate", "rate_event"])
    def test_one_may_win_and_still_lose_points(self, method: str) -> None:
        rate = getattr(create("frags"), method)
        after = rate(ratings_of(1200, 1000), duel(10, 8))
        assert after.value == pytest.approx([1191.832345, 1008.167655], abs=5e-7)

    @pytest.mark.parametrize("method", ["rate", "rate_event"])
    def test_a_shut_out(self, method: str) -> None:
        rate = getattr(create("frags"), method)
        after = rate(ratings_of(10, 400), duel(0, 5))
        assert after.value == pytest.approx([6.168806, 403.831194], abs=5e-7)


class TestStrengthOfPlay:
    @pytest.mark.parametrize(
        ("counts", "wanted"),
        [
            ((10, 8), 10 / 18),
            ((0, 0), 0.5),
            ((5, 0), 1.0),
            ((6, -2), 1.0),
            ((-3, -5), 5 / 8),
            ((-2, 6), 0.0),
            ((-4, -4), 0.5),
            ((1e308, 1e308), 0.5),
            ((-1e308, -1e308), 0.5),
        ],
    )
    def test_negative_counts_are_subtracted_from_both(
        self, counts: tuple[float, float], wanted: float
    ) -> None:
        assert strength_of_play(np.array([counts])) == pytest.approx([wanted], abs=1e-15)


class TestRules:
    def test_start_and_parameters(self) -> None:
        assert create("frags").initial(2).value.tolist() == [0, 0]
        steep = create("frags", k=10.0, scale=200.0)
        after = steep.rate(ratings_of(1200, 1000), duel(1, 1))
        assert after.value == pytest.approx(
            [1200 - 10 * (10 / 11 - 0.5), 1000 + 10 * (10 / 11 - 0.5)]
        )

    def test_nobody_falls_below_zero(self) -> None:
        for method in ("rate", "rate_event"):
            after = getattr(create("frags"), method)(ratings_of(3, 0), duel(0, 1))
            assert after.value[0] == 0
            assert after.value[1] == pytest.approx(20.0, abs=0.2)

    def test_what_the_floor_kept_is_explained(self) -> None:
        system = create("frags")
        for explain in (system.rate_explained, system.rate_event_explained):
            _after, changes = explain(ratings_of(3, 0), duel(0, 1))
            assert changes.contribution[0] == pytest.approx(-3, abs=1e-12)
            assert changes.weight[0] == pytest.approx(3 / changes.expected[0])
            assert changes.weight[1] == 40
            assert changes.actual.tolist() == [0, 1]

    def test_a_loss_just_beyond_the_floor(self) -> None:
        for name in ("rate_explained", "rate_event_explained"):
            after, changes = getattr(create("frags"), name)(ratings_of(20.5, 0), duel(0, 1))
            assert after.value[0] == 0
            assert changes.contribution[0] == pytest.approx(-20.5, abs=1e-12)
            assert 38 < changes.weight[0] < 39

    def test_losses_of_a_period_shrink_alike_at_the_floor(self) -> None:
        first, second = np.array([0, 0, 0]), np.array([1, 2, 3])
        points = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
        duels = Duels(first, second, np.array([1.0, 0.0, 0.0]), None, points)
        after, changes = create("frags").rate_event_explained(ratings_of(5, 0, 0, 0), duels)
        own = changes.player == 0
        assert after.value[0] == 0
        assert changes.contribution[own].sum() == pytest.approx(-5, abs=1e-12)
        assert changes.weight[own][0] == 40
        assert changes.weight[own][1] == changes.weight[own][2] < 40

    def test_a_rating_below_the_floor_is_read_as_the_floor(self) -> None:
        for method in ("rate", "rate_event"):
            before = ratings_of(-70, 0, -5)
            after = getattr(create("frags"), method)(before, duel(1, 0))
            assert after.value.tolist() == [20, 0, -5]
        assert create("frags").expected(ratings_of(-70, 0), [0], [1]).tolist() == [0.5]

    def test_games_against_established_players_count(self) -> None:
        system = create("frags", established_after=3)
        before = Ratings(np.zeros(2), None, None, np.array([3, 0]), np.array([3, 0]))
        for method in ("rate", "rate_event"):
            after = getattr(system, method)(before, duel(1, 0))
            assert after.games.tolist() == [4, 1]
            assert after.counted.tolist() == [3, 1]
            all_count = getattr(system, method)(before, duel(1, 0), all_count=True)
            assert all_count.counted.tolist() == [4, 1]


class TestDecay:
    def test_takes_points_from_everybody_but_never_below_zero(self) -> None:
        system, before = create("frags", decay=10.0), ratings_of(100, 15, 0)
        assert system.drift.apply(before.value).tolist() == [90, 5, 0]
        assert system.drift.apply(np.array([-3.0])).tolist() == [-3]
        assert before.value.tolist() == [100, 15, 0]

    def test_time_without_a_date_takes_nothing(self) -> None:
        system, before = create("frags", decay=10.0), ratings_of(100, 15, 0)
        assert system.age(before, 2.5).value.tolist() == [100, 15, 0]

    def test_is_off_by_default(self) -> None:
        assert not create("frags").drift
        assert create("frags").drift.apply(ratings_of(100, -3).value).tolist() == [100, -3]
        assert create("frags").periods_until([1.0], 5.0).tolist() == [np.inf]

    def test_refuses_time_that_runs_backwards(self) -> None:
        with pytest.raises(ValueError, match="periods"):
            create("frags").age(ratings_of(1), -1)


class TestRefused:
    def test_duels_without_points(self) -> None:
        system = create("frags")
        bare = Duels(np.array([0]), np.array([1]), np.array([1.0]))
        assert system.needs == ("points",)
        for rate in (system.rate, system.rate_event, system.rate_explained):
            with pytest.raises(ValueError, match="have no points: frags needs the frags of both"):
                rate(system.initial(2), bare)

    def test_contests(self) -> None:
        system, contests = create("frags"), Contests.of_duels(duel(1, 0))
        for use in (system.rate, system.rate_event, system.expected_of):
            with pytest.raises(TypeError, match="frags rates one against one"):
                use(system.initial(2), contests)

    def test_players_who_are_not_rated(self) -> None:
        system = create("frags")
        for use in (system.rate, system.rate_event):
            with pytest.raises(ValueError, match="names player 1: must be below 1"):
                use(system.initial(1), duel(1, 0))
