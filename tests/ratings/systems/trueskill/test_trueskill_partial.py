"""TrueSkill where players are there for a part of the game only."""

import math

import numpy as np
import pytest

from benchmarks.partial_play import RULES, TRUTHS, WORLDS, LineUp, play
from ratings.systems import Contests, Ratings, create
from ratings.systems.arrays import Ints
from ratings.systems.trueskill.partial_play import parts_of
from tests.ratings.systems.teams import Fixture, as_contests


def parts(*teams: list[float]) -> tuple[list[float], list[float]]:
    """What the members of the teams of one contest stand for, and learn by."""
    sizes: Ints = np.array([len(team) for team in teams])
    found = parts_of(np.concatenate(teams), sizes, np.array([len(teams)]))
    return found.stands.round(9).tolist(), found.learned.round(9).tolist()


class TestSeats:
    def test_a_seat_that_stood_empty_counts_as_his_who_left_it(self) -> None:
        stands, learned = parts([1, 1, 1, 0.25], [1, 1, 1, 1])
        assert (stands, learned) == ([1] * 8, [1, 1, 1, 0.75, 1, 1, 1, 1])

    def test_so_does_everybodys(self) -> None:
        stands, learned = parts([0.5, 0.9], [1, 0.1], [0.3, 0])
        assert (stands, learned) == ([1] * 6, [0.75, 0.9, 1, 0.75, 0.75, 0.75])

    def test_a_seat_that_two_shared_is_filled_already(self) -> None:
        stands, learned = parts([1, 1, 1, 0.25, 0.75], [1, 1, 1, 1])
        assert stands == learned == [1, 1, 1, 0.25, 0.75, 1, 1, 1, 1]

    def test_what_is_left_open_is_filled_once_not_for_each(self) -> None:
        """Two shared a seat, and it stood empty for a half all the same."""
        stands, learned = parts([1, 0.25, 0.25], [1, 1])
        assert sum(stands[:3]) == pytest.approx(2)
        assert stands[1:3] == pytest.approx([0.25 + 0.75 / 3] * 2)
        assert learned[1:3] == pytest.approx([0.75 * stands[1]] * 2)

    def test_shares_that_add_up_but_for_rounding_take_no_seat_more(self) -> None:
        stands, _ = parts([1, 0.7, 0.3 + 1e-12], [1, 1])
        assert stands == pytest.approx([1, 0.7, 0.3, 1, 1])

    def test_sides_of_different_size(self) -> None:
        assert parts([1], [1, 1, 0.5])[0] == [1] * 4

    def test_contests_know_nothing_of_each_other(self) -> None:
        shares = np.array([1, 0.5, 1, 1, 1, 0.5, 0.5])
        found = parts_of(shares, np.array([2, 2, 1, 2]), np.array([2, 2]))
        assert found.stands.tolist() == [1, 1, 1, 1, 1, 0.5, 0.5]

    def test_no_seat_at_all(self) -> None:
        nothing = np.zeros(0, dtype=np.int64)
        assert parts_of(np.zeros(0), nothing, nothing).stands.tolist() == []

    def test_equals_are_even_whoever_is_away_or_stands_in(self) -> None:
        full: Fixture = [(0, [(0, 1.0), (1, 1.0)]), (1, [(2, 1.0), (3, 1.0)])]
        away: Fixture = [(0, [(0, 1.0), (1, 0.1)]), (1, [(2, 1.0), (3, 1.0)])]
        shared: Fixture = [(0, [(0, 1.0), (1, 0.1), (4, 0.9)]), (1, [(2, 1.0), (3, 1.0)])]
        trueskill = create("trueskill")
        games = as_contests([full, away, shared])
        assert trueskill.expected_of(trueskill.initial(5), games) == pytest.approx([0.5] * 13)


class TestAttack:
    @pytest.mark.parametrize("size", [2, 4])
    def test_random_results_and_little_time_do_not_lift(self, size: int) -> None:
        """Twenty sites, 150 matches by lot each; one player is there for a twentieth of his."""
        lot, players, seats = np.random.default_rng(7), 6 * size, 2 * size
        drawn = [
            site * players + np.append(0, 1 + lot.permutation(players - 1)[: seats - 1])
            for _ in range(150)
            for site in range(20)
        ]
        matches = len(drawn)
        team = np.tile(np.repeat([0, 1], size), matches)
        weight = np.tile(np.append(0.05, np.ones(seats - 1)), matches)
        rank = np.abs(team - np.repeat(lot.integers(0, 2, matches), seats))
        contest = np.repeat(np.arange(matches), seats)
        games = Contests(contest, team, np.concatenate(drawn), rank, weight)
        trueskill = create("trueskill")
        for rate in (trueskill.rate, trueskill.rate_event):
            value = rate(trueskill.initial(20 * players), games).value.reshape(20, players)
            assert abs(value[:, 0].mean() - value[:, 1:].mean()) < 1
            assert (value.argmax(axis=1) == 0).mean() < 0.2


class TestSimulation:
    def test_the_chosen_rule_is_the_systems(self) -> None:
        """One match of the simulation, by its formulas and by the system; a substitute sits in it."""
        lot = np.random.default_rng(3)
        value, deviation = lot.normal(25, 5, (1, 2, 5)), lot.uniform(1, 8, (1, 2, 5))
        share = np.array([[[1, 0.3, 0.5, 1, 0.4], [1, 0.9, 0.2, 1, 0]]])
        line_up = LineUp(value, deviation**2, share)
        mean, variance, learned, _ = RULES["own mean, floor 0.75 (chosen)"](line_up)
        rows = share.ravel() > 0
        players, zeros = int(rows.sum()), np.zeros(int(rows.sum()), dtype=np.int64)
        team = np.repeat([0, 1], 5)[rows]
        games = Contests(zeros, team, np.arange(players), team, share.ravel()[rows])
        before = Ratings(value.ravel()[rows], deviation.ravel()[rows], None, zeros, zeros)
        trueskill = create("trueskill", tau=0, draw_probability=0)
        after = trueskill.rate(before, games)
        moved = (after.value - before.value) / deviation.ravel()[rows] ** 2
        shares = learned.ravel()[rows] * np.where(team == 0, 1, -1)
        assert moved / shares == pytest.approx([moved[0] / shares[0]] * players)
        t = float((mean[0, 0] - mean[0, 1]) / variance.sum() ** 0.5)
        chance = (1 + math.erf(t / 2**0.5)) / 2
        assert trueskill.expected_of(before, games)[0] == pytest.approx(chance)

    @pytest.mark.parametrize("everybody", [False, True])
    def test_the_bias_that_the_page_states(self, everybody: bool) -> None:
        coin = play(
            RULES["own mean, floor 0.75 (chosen)"],
            WORLDS["a coin decides"],
            everybody=everybody,
            subjects=20,
            rounds=200,
        )
        assert coin.shape == (len(TRUTHS), 20)
        assert abs(coin.mean()) < 1
