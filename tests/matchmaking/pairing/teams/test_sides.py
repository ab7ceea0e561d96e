"""Sides, maps and chances of the matches found."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from matchmaking.pairing.maps_and_sides.maps import choose_maps
from matchmaking.pairing.maps_and_sides.sides import assign_sides, expected_scores
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.choose import find_matches
from ratings.systems.contests import Contests
from ratings.systems.registry import create
from ratings.systems.state import Ratings
from tests.matchmaking.pairing.queues import waiting
from tests.matchmaking.pairing.teams.pools import plan_for, pool, teams_of

GLICKO = create("glicko")


def duel() -> ProposedMatches:
    """Tickets 0 and 1 against each other."""
    return matches([0], [1])


def matches(*teams: list[int]) -> ProposedMatches:
    """One match of these teams."""
    ticket = [one for team in teams for one in team]
    nothing = np.zeros(1)
    return ProposedMatches(
        match=np.zeros(len(ticket), dtype=np.int64),
        ticket=np.array(ticket),
        team=np.array([number for number, team in enumerate(teams) for _ in team]),
        gap=nothing,
        cost=nothing,
        chance=nothing,
        map=np.array([-1]),
        left=np.zeros(0, dtype=np.int64),
    )


def with_maps(names: str, side_points: float = 0.0, **exchange: float) -> Plan:
    return plan_for(
        2,
        1,
        side_points=side_points,
        settings={"maps": {"names": names}, "exchange": {**exchange}},
    )


class TestSplits:
    """Teams are made for the sides they will play."""

    RATINGS = (1500.0, 1500.0, 1530.0, 1530.0)

    def chance_of(self, plan: Plan) -> float:
        (chance,) = find_matches(pool([[one] for one in self.RATINGS]), plan).chance
        return float(chance)

    @pytest.mark.parametrize("points", [30.0, -30.0])
    def test_the_better_side_makes_up_for_weaker_players(self, points: float) -> None:
        assert self.chance_of(plan_for(2, 2, side_points=points)) == pytest.approx(0.5)
        assert self.chance_of(plan_for(2, 2)) == pytest.approx(0.5)

    def test_so_does_the_side_of_the_only_map(self) -> None:
        plan = plan_for(2, 2, settings={"maps": {"names": "Canyon +30"}})
        assert self.chance_of(plan) == pytest.approx(0.5)

    def test_where_a_lot_decides_teams_are_even(self) -> None:
        plan = replace(plan_for(2, 2, side_points=30.0), hides_strength=True)
        found = find_matches(pool([[one] for one in self.RATINGS]), plan)
        assert found.gap.tolist() == [0.0]

    def test_of_many_splits_exchanges_find_one_for_the_sides(self) -> None:
        rng = np.random.default_rng(5)
        tickets = pool([[one] for one in rng.normal(1500, 40, 24)])
        for points in (0.0, 40.0):
            found = find_matches(tickets, plan_for(2, 12, side_points=points))
            assert found.gap[0] == pytest.approx(points, abs=0.5)

    def test_the_most_even_sums_are_the_most_even_chance(self) -> None:
        rng, plan = np.random.default_rng(1), plan_for(2, 3, side_points=1.5)
        for _ in range(10):
            tickets = pool([[one] for one in rng.normal(1500, 4, 6)])
            (found,) = find_matches(tickets, plan).chance
            others = [
                expected_scores(
                    tickets, plan, matches([0, *two], sorted({1, 2, 3, 4, 5} - {*two}))
                )[0]
                for two in combinations(range(1, 6), 2)
            ] + [
                expected_scores(
                    tickets, plan, matches(sorted({1, 2, 3, 4, 5} - {*two}), [0, *two])
                )[0]
                for two in combinations(range(1, 6), 2)
            ]
            assert abs(found - 0.5) <= min(abs(other - 0.5) for other in others) + 1e-9


class TestSides:
    @pytest.mark.parametrize(("points", "first"), [(30.0, 1), (-30.0, 0)])
    def test_the_weaker_plays_the_better_side(self, points: float, first: int) -> None:
        tickets = waiting([1600, 1500])
        sided = assign_sides(duel(), tickets, plan_for(2, 1, side_points=points))
        assert teams_of(sided, 0, 2)[0] == [first]

    def test_of_teams_too(self) -> None:
        tickets = pool([[1500, 1500], [1500], [1500], [1400], [1590]])
        sided = assign_sides(matches([0, 1], [2, 3, 4]), tickets, plan_for(2, 3, side_points=10.0))
        assert teams_of(sided, 0, 2) == [[2, 3, 4], [0, 1]]

    def test_the_side_of_the_map_counts_where_it_has_one(self) -> None:
        tickets, plan = waiting([1600, 1500]), with_maps("Canyon -15", side_points=30.0)
        sided = assign_sides(choose_maps(duel(), tickets, plan), tickets, plan)
        assert teams_of(sided, 0, 2)[0] == [0]

    def test_whoever_does_not_know_the_map_counts_as_weaker(self) -> None:
        tickets = replace(waiting([1600, 1500]), traits={"map_points": np.array([[150.0], [0.0]])})
        plan = with_maps("Canyon +10")
        sided = assign_sides(choose_maps(duel(), tickets, plan), tickets, plan)
        assert teams_of(sided, 0, 2)[0] == [0]

    @pytest.mark.parametrize(("points", "is_hidden"), [(0.0, False), (30.0, True)])
    def test_without_a_better_side_or_where_strengths_are_hidden_a_lot_decides(
        self, points: float, is_hidden: bool
    ) -> None:
        plan = replace(plan_for(2, 1, side_points=points), hides_strength=is_hidden)
        firsts = []
        for number in range(200):
            tickets = replace(waiting([1600, 1500]), id=np.array([number, 1000 + 7 * number]))
            sided = assign_sides(duel(), tickets, plan)
            turned = assign_sides(matches([1], [0]), tickets, plan)
            assert sided.ticket.tolist() == turned.ticket.tolist()
            firsts.append(sided.ticket[0])
        assert 70 < sum(firsts) < 130

    def test_many_teams_are_in_the_order_of_lots(self) -> None:
        tickets = pool([[1500.0 + n] for n in range(6)])
        sided = assign_sides(matches([0, 1], [2, 3], [4, 5]), tickets, plan_for(3, 2))
        teams = teams_of(sided, 0, 3)
        assert sorted(teams) == [[0, 1], [2, 3], [4, 5]]
        assert np.isnan(sided.chance).all()


class TestChance:
    def test_of_two_players_as_the_system_says(self) -> None:
        known = np.array([50.0, np.nan])
        tickets = replace(waiting([1600, 1500]), deviation=known, members=None)  # type: ignore[arg-type]
        plan = replace(plan_for(2, 1, side_points=25.0), system=GLICKO)
        sided = assign_sides(duel(), tickets, plan)
        nobody = np.zeros(2, dtype=np.int64)
        ratings = Ratings(np.array([1525.0, 1600.0]), np.array([350.0, 50.0]), None, nobody, nobody)
        assert sided.chance == GLICKO.expected(ratings, [0], [1])

    def test_of_teams_as_the_system_says(self) -> None:
        tickets = pool([[25.0, 31.0], [20.0], [35.0]])
        plan = plan_for(2, 2)
        sided = assign_sides(matches([0], [1, 2]), tickets, plan)
        teams = teams_of(sided, 0, 2)
        players = np.array([0, 1, 2, 3] if teams[0] == [0] else [2, 3, 0, 1])
        nobody = np.zeros(4, dtype=np.int64)
        ratings = Ratings(np.array([25.0, 31, 20, 35]), np.full(4, 60.0), None, nobody, nobody)
        assert plan.system is not None
        contests = Contests([0] * 4, [0, 0, 1, 1], players, [0, 0, 1, 1])  # type: ignore[arg-type]
        assert sided.chance[0] == pytest.approx(plan.system.expected_of(ratings, contests)[0])

    def test_a_system_without_teams_compares_their_means(self) -> None:
        tickets = pool([[1500, 1600], [1500], [1500]])
        plan = replace(plan_for(2, 2), system=create("elo"))
        sided = assign_sides(matches([0], [1, 2]), tickets, plan)
        nobody = np.zeros(2, dtype=np.int64)
        ratings = Ratings(np.array([1550.0, 1500.0]), None, None, nobody, nobody)
        expected = create("elo").expected(ratings, [0], [1])[0]
        assert sided.chance[0] == pytest.approx(
            expected if teams_of(sided, 0, 2)[0] == [0] else 1 - expected
        )

    def test_nobody_can_say_without_a_system(self) -> None:
        plan = replace(plan_for(2, 1), system=None)
        assert np.isnan(assign_sides(duel(), waiting([1500, 1500]), plan).chance).all()


class TestMaps:
    def test_none_without_maps(self) -> None:
        assert choose_maps(duel(), waiting([1500, 1500]), plan_for(2, 1)).map.tolist() == [-1]

    def test_nobody_plays_on_a_map_that_somebody_vetoed(self) -> None:
        tickets = replace(
            waiting([1500, 1500]),
            traits={"maps_vetoed": np.array([1, 4]), "maps_liked": np.array([4, 1])},
        )
        assert choose_maps(duel(), tickets, with_maps("A; B; C")).map.tolist() == [1]

    def test_the_map_that_most_players_like(self) -> None:
        tickets = replace(waiting([1500, 1500]), traits={"maps_liked": np.array([6, 2])})
        assert choose_maps(duel(), tickets, with_maps("A; B; C")).map.tolist() == [1]

    def test_not_where_somebody_new_to_it_would_be_far_weaker(self) -> None:
        points = np.array([[200.0, 0.0], [0.0, 0.0]])
        tickets = replace(
            waiting([1500, 1500]), traits={"map_points": points, "maps_liked": np.array([1, 1])}
        )
        assert choose_maps(duel(), tickets, with_maps("A; B")).map.tolist() == [1]

    def test_where_the_side_makes_up_for_the_difference(self) -> None:
        plan = with_maps("A; B +80; C -200")
        assert choose_maps(duel(), waiting([1580, 1500]), plan).map.tolist() == [1]

    def test_a_side_given_by_lot_makes_up_for_nothing(self) -> None:
        plan = replace(with_maps("A; B +80; C -200"), hides_strength=True)
        assert choose_maps(duel(), waiting([1540, 1500]), plan).map.tolist() == [0]

    def test_of_equal_maps_every_one_is_played(self) -> None:
        plan, played = with_maps("A; B; C"), set()
        for number in range(40):
            tickets = replace(waiting([1500, 1500]), id=np.array([number, 100 + number]))
            played.add(int(choose_maps(duel(), tickets, plan).map[0]))
        assert played == {0, 1, 2}

    def test_a_match_found_has_all_of_it(self) -> None:
        tickets = pool([[1500, 1510], [1490], [1520]], maps_vetoed=[1, 0, 0])
        plan = plan_for(2, 2, side_points=20.0, settings={"maps": {"names": "A; B"}})
        found = find_matches(tickets, plan)
        assert found.map.tolist() == [1]
        assert 0 < found.chance[0] < 1
