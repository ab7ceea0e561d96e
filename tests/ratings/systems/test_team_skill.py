"""The strength of teams from the skills of their parts."""

import random
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import Duels, create
from ratings.systems.team_skill import (
    Known,
    ReliableSubTeams,
    SubTeam,
    SubTeamsOfSize,
    SumOfMembers,
    TeamStrength,
    all_k_least_squares,
    mean_of_size,
    sub_teams,
)

SKILLS = st.floats(-1000, 3000)
GAMES = st.integers(0, 30)


def units(**skills: float) -> dict[frozenset[object], SubTeam]:
    """Parts by the letters of their players, each with twenty joint games."""
    return {frozenset(letters): SubTeam(skill, 20) for letters, skill in skills.items()}


def parts(team: str) -> list[frozenset[object]]:
    sizes = range(1, len(team) + 1)
    return [frozenset(part) for part in chain(*(combinations(team, size) for size in sizes))]


@st.composite
def everything(draw: st.DrawFn) -> tuple[str, Known]:
    """A team of two to five, and every part of it."""
    team = "ABCDE"[: draw(st.integers(2, 5))]
    return team, {part: SubTeam(draw(SKILLS), draw(GAMES)) for part in parts(team)}


class TestReliableParts:
    def test_published_example(self) -> None:
        known = units(BCD=90, AC=55, AD=65, A=10, B=20, C=30, D=40, BC=50, BD=60, CD=70)
        assert all_k_least_squares("ABCD", known, least_games=10) == pytest.approx(120)

    def test_what_is_in_a_larger_part_does_not_count_again(self) -> None:
        known = units(BCD=90, AC=55, AD=65)
        wanted = all_k_least_squares("ABCD", known, least_games=10)
        more = known | units(BC=1000, D=-1000)
        assert all_k_least_squares("ABCD", more, least_games=10) == wanted

    def test_parts_that_played_too_little_do_not_count(self) -> None:
        known = units(A=10, B=20, AB=50)
        rare = known | {frozenset("AB"): SubTeam(50, 9)}
        assert all_k_least_squares("AB", known, least_games=10) == 50
        assert all_k_least_squares("AB", rare, least_games=10) == 30
        assert all_k_least_squares("AB", rare, least_games=9) == 50

    def test_a_member_in_no_pair_counts_alone(self) -> None:
        known = units(AB=50, C=40)
        assert all_k_least_squares("ABC", known, least_games=10) == pytest.approx(3 / 3 * 90)

    def test_strangers_are_the_sum_of_what_they_are_alone(self) -> None:
        known: Known = {frozenset(letter): SubTeam(10.0) for letter in "ABC"}
        assert all_k_least_squares("ABC", known, least_games=10) == 30

    def test_parts_with_outsiders_do_not_count(self) -> None:
        known = units(A=10, B=20, BX=900, ABX=900)
        assert all_k_least_squares("AB", known, least_games=10) == 30

    @given(everything())
    def test_a_team_that_often_plays_is_what_it_is(self, given: tuple[str, Known]) -> None:
        team, known = given
        whole = {**known, frozenset(team): SubTeam(77.0, 30)}
        assert all_k_least_squares(team, whole, least_games=30) == pytest.approx(77)

    @given(everything(), GAMES)
    def test_per_head_it_lies_between_its_parts(
        self, given: tuple[str, Known], least_games: int
    ) -> None:
        team, known = given
        each = [unit.skill / len(part) for part, unit in known.items()]
        strength = all_k_least_squares(team, known, least_games=least_games) / len(team)
        assert min(each) - 1e-6 <= strength <= max(each) + 1e-6


class TestPartsOfOneSize:
    def test_pairs(self) -> None:
        known = units(AB=50, AC=40, BC=30)
        assert mean_of_size("ABC", known, size=2) == pytest.approx(3 / 2 * 40)

    @given(everything())
    def test_of_one_and_of_all(self, given: tuple[str, Known]) -> None:
        team, known = given
        alone = sum(known[frozenset(member)].skill for member in team)
        assert mean_of_size(team, known, size=1) == pytest.approx(alone, abs=1e-9)
        assert mean_of_size(team, known, size=len(team)) == known[frozenset(team)].skill

    @given(st.lists(SKILLS, min_size=2, max_size=6), st.data())
    def test_without_chemistry_every_size_gives_the_sum(
        self, skills: list[float], data: st.DataObject
    ) -> None:
        team = "ABCDEF"[: len(skills)]
        alone = dict(zip(team, skills, strict=True))
        known = {part: SubTeam(sum(alone[str(m)] for m in part)) for part in parts(team)}
        size = data.draw(st.integers(1, len(team)))
        assert mean_of_size(team, known, size=size) == pytest.approx(sum(skills), abs=1e-6)

    def test_an_unknown_part_is_named(self) -> None:
        with pytest.raises(ValueError, match="skill of B, C is not known"):
            mean_of_size("ABC", units(AB=50, AC=40), size=2)
        with pytest.raises(ValueError, match="skill of B is not known"):
            all_k_least_squares("AB", units(A=50), least_games=1)

    @pytest.mark.parametrize("size", [0, 3, -1])
    def test_impossible_sizes_are_refused(self, size: int) -> None:
        with pytest.raises(ValueError, match=f"size = {size}: must be from 1 to 2"):
            mean_of_size("AB", units(AB=50), size=size)

    def test_parts_are_listed_once(self) -> None:
        assert list(sub_teams("AAB", size=2)) == [frozenset("AB")]
        assert len(list(sub_teams(range(6), size=3))) == 20


RULES: list[TeamStrength] = [SumOfMembers(), SubTeamsOfSize(2), ReliableSubTeams(10)]


@pytest.mark.parametrize("rule", RULES, ids=repr)
class TestEveryRule:
    @given(everything(), st.randoms(use_true_random=False))
    def test_order_does_not_matter(
        self, rule: TeamStrength, given: tuple[str, Known], order: random.Random
    ) -> None:
        team, known = given
        members, rows = list(team), list(known.items())
        order.shuffle(members)
        order.shuffle(rows)
        assert rule(members, dict(rows)) == pytest.approx(rule(team, known), rel=1e-12, abs=1e-9)

    @given(everything(), st.floats(0.01, 100))
    def test_scales_with_the_skills(
        self, rule: TeamStrength, given: tuple[str, Known], scale: float
    ) -> None:
        team, known = given
        larger = {part: SubTeam(unit.skill * scale, unit.games) for part, unit in known.items()}
        assert rule(team, larger) == pytest.approx(rule(team, known) * scale, rel=1e-9, abs=1e-6)

    def test_one_player_is_what_he_is_alone(self, rule: TeamStrength) -> None:
        assert rule("A", units(A=50)) == 50


def test_the_rules_differ() -> None:
    known = units(A=10, B=20, C=30, AB=50, AC=40, BC=50)
    known[frozenset("AC")] = SubTeam(40, 9)
    assert [rule("ABC", known) for rule in RULES] == pytest.approx([60, 70, 75])


def test_pairs_rated_as_units_know_who_plays_well_together() -> None:
    """A and B win together whatever happens to each of them beside others."""
    trueskill = create("trueskill")
    pairs = list(sub_teams("ABCD", size=2))
    number = {pair: position for position, pair in enumerate(pairs)}
    ab, cd = number[frozenset("AB")], number[frozenset("CD")]
    ac, bd = number[frozenset("AC")], number[frozenset("BD")]
    first, second = np.tile([ab, ac], 30), np.tile([cd, bd], 30)
    score = np.tile([1.0, 0.5], 30)
    rated = trueskill.rate(trueskill.initial(len(pairs)), Duels(first, second, score))
    known = {
        pair: SubTeam(float(rated.value[position]), int(rated.games[position]))
        for pair, position in number.items()
    }
    rule = ReliableSubTeams(least_games=10)
    assert rule("AB", known) > rule("AC", known) > rule("CD", known)
