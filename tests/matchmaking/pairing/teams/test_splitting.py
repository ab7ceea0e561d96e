"""Splitting the tickets of a match into teams."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchmaking.pairing.teams.capacity import packs
from matchmaking.pairing.teams.division import arrange
from matchmaking.pairing.teams.splits import imparity, split_by_rule, splits_of, swap
from tests.matchmaking.pairing.teams.pools import all_splits, plan_for, pool, teams_of

SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=6)


def unnumbered(team: Sequence[int]) -> frozenset[frozenset[int]]:
    """Who is together, whatever the numbers of the teams."""
    members: dict[int, set[int]] = {}
    for ticket, number in enumerate(team):
        members.setdefault(number, set()).add(ticket)
    return frozenset(map(frozenset, members.values()))


class TestRule:
    def test_three_against_three(self) -> None:
        ratings = [2000.0, 1000.0, 400.0, 300.0, 200.0, 100.0]
        assert split_by_rule(ratings, count=2, size=3) == [0, 1, 1, 1, 0, 0]

    def test_equal_totals_go_to_the_earlier_team(self) -> None:
        assert split_by_rule([10.0, 10.0, 10.0, 10.0], count=2, size=2) == [0, 1, 0, 1]

    def test_the_first_go_to_a_team_each_also_below_zero(self) -> None:
        assert split_by_rule([-10.0, -20.0, -30.0, -40.0], count=2, size=2) == [0, 1, 1, 0]

    def test_a_choice_that_leaves_a_party_without_room_is_taken_back(self) -> None:
        team = split_by_rule([30.0, 30.0, 20.0, 20.0, 20.0], [3, 3, 2, 2, 2], count=2, size=6)
        assert team == [0, 0, 1, 1, 1]

    def test_parties_that_fit_nowhere(self) -> None:
        assert split_by_rule([30.0, 30.0, 30.0], [3, 3, 2], count=2, size=4) is None

    @given(SIZES, st.integers(2, 3), st.integers(1, 5))
    def test_finds_a_split_whenever_there_is_one(
        self, sizes: list[int], count: int, size: int
    ) -> None:
        if sum(sizes) == count * size:
            team = split_by_rule([10.0 * s for s in sizes], sizes, count=count, size=size)
            splits = set(all_splits(sizes, count, size))
            assert tuple(team or ()) in splits if splits else team is None


class TestSplits:
    @pytest.mark.parametrize(
        ("sizes", "count", "size", "number"),
        [
            ((1,) * 10, 2, 5, 126),
            ((1,) * 9, 3, 3, 280),
            ((5, 5), 2, 5, 1),
            ((5, 1, 1, 1, 1, 1), 2, 5, 1),
            ((2, 2, 2, 2, 1, 1), 2, 5, 6),
            ((3, 3, 2), 2, 4, 0),
            ((1,) * 100, 100, 1, 1),
        ],
    )
    def test_how_many_there_are(
        self, sizes: tuple[int, ...], count: int, size: int, number: int
    ) -> None:
        splits = splits_of(sizes, count, size)
        assert splits is not None
        assert len(splits) == number

    def test_too_many_are_not_counted(self) -> None:
        assert splits_of((1,) * 20, 2, 10) is None

    @given(SIZES, st.integers(2, 3), st.integers(1, 5))
    def test_they_are_all_and_each_is_there_once(
        self, sizes: list[int], count: int, size: int
    ) -> None:
        if sum(sizes) != count * size:
            return
        splits = splits_of(tuple(sizes), count, size)
        assert splits is not None
        found = [unnumbered(team) for team in splits.team.tolist()]
        assert len(found) == len(set(found))
        assert set(found) == {unnumbered(team) for team in all_splits(sizes, count, size)}

    @given(SIZES, st.integers(2, 3), st.integers(1, 5))
    def test_packs_says_whether_everybody_finds_room(
        self, sizes: list[int], count: int, size: int
    ) -> None:
        free = count * size - sum(sizes)
        filled = [*sizes, *[1] * max(free, 0)]
        if len(filled) <= 9:
            there_is = any(True for _ in all_splits(filled, count, size))
            assert packs(tuple(sorted(sizes, reverse=True)), count, size) == there_is

    def test_imparity(self) -> None:
        def of(team: list[int], *sizes: int) -> float:
            return float(imparity(np.array(sizes), np.array([team]), 2, 5)[0])

        assert of([0, 1], 5, 5) == 0.0
        assert of([0, 1, 1, 1, 1, 1], 5, 1, 1, 1, 1, 1) == 1.0
        assert of([0, 0, 1, 1, 1, 1], 3, 2, 2, 1, 1, 1) == pytest.approx(0.6)


class TestBest:
    @given(
        st.lists(st.floats(800, 2000), min_size=6, max_size=6),
        st.sampled_from([(2, 3), (3, 2)]),
    )
    def test_singles_are_split_as_evenly_as_they_can_be(
        self, ratings: list[float], shape: tuple[int, int]
    ) -> None:
        count, size = shape
        plan = plan_for(count, size, settings={"teams": {"parity_seconds": 0}})
        matches = arrange(pool([[r] for r in ratings]), plan, [range(6)])
        least = min(
            max(totals) - min(totals)
            for team in all_splits([1] * 6, count, size)
            for totals in [
                [sum(r for r, t in zip(ratings, team, strict=True) if t == k) for k in range(count)]
            ]
        )
        assert matches.gap[0] == pytest.approx(least / size, abs=1e-5)

    def test_parties_against_parties_where_it_is_worth_it(self) -> None:
        tickets = pool([[1500, 1500], [1560, 1560], [1530], [1530], [1532], [1528]])

        def parties(seconds: float) -> list[list[int]]:
            plan = plan_for(2, 4, settings={"teams": {"parity_seconds": seconds}})
            teams = teams_of(arrange(tickets, plan, [range(6)]), 0, 2)
            return sorted(sorted(tickets.members.sizes[team].tolist()) for team in teams)

        # Both pairs together are as strong as the four others to the point.
        assert parties(0) == [[1, 1, 1, 1], [2, 2]]
        assert parties(60) == [[1, 1, 2], [1, 1, 2]]

    def test_the_sources_rule_when_the_operator_wants_it(self) -> None:
        tickets = pool([[2000], [1000], [400], [300], [200], [100]])
        plan = plan_for(2, 3, settings={"teams": {"split": "sources"}})
        assert teams_of(arrange(tickets, plan, [range(6)]), 0, 2) == [[0, 4, 5], [1, 2, 3]]

    def test_more_players_than_can_be_tried_are_nearly_even(self) -> None:
        ratings = np.random.default_rng(5).normal(1500, 300, 24)
        tickets = pool([[rating] for rating in ratings])
        best = arrange(tickets, plan_for(2, 12), [range(24)])
        ruled = arrange(
            tickets, plan_for(2, 12, settings={"teams": {"split": "sources"}}), [range(24)]
        )
        assert best.gap[0] < min(ruled.gap[0], 1.0)

    def test_swaps_never_make_the_spread_larger(self) -> None:
        rng = np.random.default_rng(1)
        points, sizes = rng.normal(1500, 300, 30), np.ones(30, dtype=np.int64)
        team = np.repeat(np.arange(3), 10)
        after = swap(points, sizes, team)
        assert np.bincount(after).tolist() == [10, 10, 10]
        assert np.ptp(np.bincount(after, weights=points)) < np.ptp(
            np.bincount(team, weights=points)
        )
