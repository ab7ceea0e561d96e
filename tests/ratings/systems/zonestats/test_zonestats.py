"""ZoneStats: golden values, the rules one by one, what it refuses."""

from collections.abc import Sequence

import numpy as np
import pytest

from ratings.systems import Changes, Contests, Duels, Ratings, create

Rows = Sequence[tuple[float, float, float]]

FOUR = [(620, 30, 20), (500, 20, 15), (500, 10, 10), (380, 10, 10)]


def contest_of(rows: Rows, teams: list[int]) -> Contests:
    """One contest of players 0, 1, …; a row is rating, score, minutes."""
    _ratings, score, minutes = np.array(rows, dtype=float).T
    n = len(rows)
    return Contests(
        np.zeros(n, dtype=np.int64),
        np.array(teams),
        np.arange(n),
        np.zeros(n, dtype=np.int64),
        np.ones(n),
        score,
        minutes,
    )


def ratings_of(rows: Rows) -> Ratings:
    n = len(rows)
    nothing = np.zeros(n, dtype=np.int64)
    return Ratings(np.array([row[0] for row in rows]), None, None, nothing, nothing)


def explain(rows: Rows, teams: list[int], **parameters: float) -> Changes:
    system = create("zonestats", **parameters)
    return system.rate_explained(ratings_of(rows), contest_of(rows, teams))[1]


def points(rows: Rows, teams: list[int] | None = None, **parameters: float) -> list[float]:
    changes = explain(rows, teams or list(range(len(rows))), **parameters)
    return [float(one) for one in changes.contribution]


class TestGolden:
    def test_two_new_players(self) -> None:
        assert points([(500, 9, 20), (500, 3, 20)]) == pytest.approx([20, -20], abs=1e-12)

    def test_free_for_all_is_scaled_by_the_largest(self) -> None:
        wanted = [15.831130, 7.310586, -20.000000, -3.141715]
        assert points(FOUR) == pytest.approx(wanted, abs=5e-7)

    def test_teams(self) -> None:
        wanted = [7.762887, 15.378828, -15.378828, -7.762887]
        assert points(FOUR, [0, 0, 1, 1]) == pytest.approx(wanted, abs=5e-7)

    def test_a_short_stay_may_win_more_than_its_own_limit(self) -> None:
        rows = [(500, 15, 20), (400, 37, 2), (500, 2, 20)]
        assert points(rows) == pytest.approx([17.211763, 5.576474, -22.788237], abs=5e-7)


class TestRules:
    def test_the_score_per_hour_decides_not_the_score(self) -> None:
        ahead, behind = points([(500, 5, 6), (500, 9, 12)])
        assert ahead == -behind == 6.0

    def test_equal_per_hour_is_a_draw_without_rounding(self) -> None:
        assert points([(500, 1, 3), (500, 5, 15)]) == [0, 0]
        just_ahead = points([(500, 7_000_001, 7_000_000), (500, 7_000_000, 6_999_999)])
        assert just_ahead[0] < 0 < just_ahead[1]

    def test_nobody_is_worth_more_than_the_minutes_they_shared(self) -> None:
        assert points([(500, 9, 5), (500, 0, 20)]) == [5, -5]
        assert points([(500, 9, 500), (500, 0, 500)]) == [20, -20]
        assert points([(500, 9, 500), (500, 0, 500)], max_minutes=60.0) == [60, -60]

    def test_zero_minutes_are_out_of_it(self) -> None:
        with_idle = [(500.0, 9.0, 20.0), (900.0, 99.0, 0.0), (500.0, 3.0, 20.0)]
        assert points(with_idle) == [20, 0, -20]

    def test_team_mates_are_not_compared(self) -> None:
        best, worst, other = points([(500, 9, 10), (500, 0, 10), (500, 5, 10)], [0, 0, 1])
        assert best == -worst == 10
        assert other == 0

    def test_parameters_reach_the_sum(self) -> None:
        rows = [(620.0, 1.0, 10.0), (500.0, 2.0, 10.0)]
        sure = points(rows, spread=10.0, game_mult=3.0)
        assert sure == pytest.approx([-30, 30], abs=1e-3)

    def test_start(self) -> None:
        assert create("zonestats").initial(2).value.tolist() == [500, 500]

    def test_ratings_may_fall_below_zero_for_the_sum_is_kept(self) -> None:
        assert points([(1, 0, 20), (1, 9, 20)]) == [-20, 20]

    def test_time_changes_nothing(self) -> None:
        system, before = create("zonestats"), ratings_of(FOUR)
        assert system.age(before, 1e9).value.tolist() == before.value.tolist()
        assert system.periods_until([1.0], 5.0).tolist() == [np.inf]
        with pytest.raises(ValueError, match="periods"):
            system.age(before, -1)

    def test_little_time_does_not_lift(self) -> None:
        """Equals who score by lot; every eighth is there for a twentieth of the game."""
        lot, matches = np.random.default_rng(11), 300
        minutes = np.tile(np.append(1.0, np.full(7, 20.0)), matches)
        score = lot.poisson(0.5 * minutes).astype(float)
        team, contest = np.tile(np.repeat([0, 1], 4), matches), np.repeat(np.arange(matches), 8)
        drawn = np.concatenate(
            [np.append(lot.integers(8), 8 + lot.permutation(40)[:7]) for _ in range(matches)]
        )
        games = Contests(contest, team, drawn, team, None, score, minutes)  # type: ignore[arg-type]
        zonestats = create("zonestats")
        value = zonestats.rate(zonestats.initial(48), games).value
        assert value[:8].mean() < 501


class TestChanges:
    def test_a_row_for_each_player_explains_the_points(self) -> None:
        changes = explain(FOUR, [0, 1, 2, 3])
        assert changes.game.tolist() == [0, 0, 0, 0]
        assert changes.player.tolist() == [0, 1, 2, 3]
        assert changes.opponent.tolist() == [-1, -1, -1, -1]
        assert changes.weight * (changes.actual - changes.expected) == pytest.approx(
            changes.contribution, abs=1e-12
        )
        assert changes.value_before.tolist() == [620, 500, 500, 380]
        assert changes.value_after == pytest.approx(changes.value_before + changes.contribution)
        # second v 620 and 500 for 15 and 10 minutes, v 380 for 10; ahead of the last two
        assert changes.actual[1] == pytest.approx(20 / 35)
        assert changes.expected[1] == pytest.approx(
            (15 / (1 + np.e) + 10 * 0.5 + 10 / (1 + 1 / np.e)) / 35
        )

    def test_the_only_opponent_is_named(self) -> None:
        assert explain(FOUR[:2], [0, 1]).opponent.tolist() == [1, 0]
        assert explain(FOUR[:3], [0, 0, 1]).opponent.tolist() == [2, 2, -1]

    def test_who_met_nobody_has_no_weight(self) -> None:
        changes = explain([(500, 9, 20), (500, 3, 0)], [0, 1])
        assert changes.weight.tolist() == changes.contribution.tolist() == [0, 0]
        assert changes.expected.tolist() == changes.actual.tolist() == [0.5, 0.5]


class TestCounting:
    def rate(self, games: list[int], minutes: list[float], *, all_count: bool) -> Ratings:
        rows = [(500.0, 1.0, time) for time in minutes]
        before = Ratings(np.full(len(rows), 500.0), None, None, np.array(games), np.array(games))
        system = create("zonestats", established_after=10)
        contests = contest_of(rows, list(range(len(rows))))
        return system.rate(before, contests, all_count=all_count)

    def test_games_against_somebody_established_count(self) -> None:
        after = self.rate([0, 3, 10], [5, 5, 5], all_count=False)
        assert after.games.tolist() == [1, 4, 11]
        assert after.counted.tolist() == [1, 4, 10]

    def test_the_idle_neither_play_nor_count(self) -> None:
        after = self.rate([0, 3, 10], [5, 5, 0], all_count=False)
        assert after.games.tolist() == [1, 4, 10]
        assert after.counted.tolist() == [0, 3, 10]

    def test_all_count_in_a_fresh_pool(self) -> None:
        assert self.rate([0, 3, 0], [5, 5, 0], all_count=True).counted.tolist() == [1, 4, 0]


class TestRefused:
    def test_duels_have_no_minutes(self) -> None:
        system, duels = create("zonestats"), Duels(np.array([0]), np.array([1]), np.array([1.0]))
        for rate in (system.rate, system.rate_event, system.rate_explained):
            with pytest.raises(ValueError, match=r"^Duels have no minutes: zonestats rates"):
                rate(system.initial(2), duels)

    def test_missing_columns_are_named(self) -> None:
        system, bare = create("zonestats"), contest_of(FOUR, [0, 1, 2, 3])
        bare = Contests(bare.contest, bare.team, bare.player, bare.rank, bare.weight, bare.score)
        assert system.needs == ("score", "minutes")
        for rate in (system.rate, system.rate_event):
            with pytest.raises(ValueError, match="have no minutes: zonestats needs both"):
                rate(system.initial(4), bare)

    def test_players_who_are_not_rated(self) -> None:
        system, contests = create("zonestats"), contest_of(FOUR, [0, 1, 2, 3])
        for use in (system.rate, system.rate_event, system.expected_of):
            with pytest.raises(ValueError, match="names player 3: must be below 3"):
                use(system.initial(3), contests)
