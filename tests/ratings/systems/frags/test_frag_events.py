"""Single events of the shooter ladder: golden values and the floor."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import create
from ratings.systems.frags import (
    Frag,
    FragsParameters,
    Side,
    decay,
    expect,
    overall,
    score_against_team,
    score_event,
    suicide,
    team_kill,
)
from ratings.systems.frags.roles import deviation_of
from tests.ratings.systems.frags.reference_frags import duel

RULES = FragsParameters()
POINTS = st.floats(0, 3000)


def test_golden_capture_against_the_mean_of_the_other_team() -> None:
    assert score_against_team(RULES, 1000, [900, 1100], weight=7) == pytest.approx(1140)


def test_golden_team_kill() -> None:
    assert team_kill(RULES, 1200, 1000) == pytest.approx(1169.610123, abs=5e-7)


@given(POINTS, POINTS)
def test_a_frag_is_a_duel_of_one_to_nothing(killer: float, victim: float) -> None:
    assert score_event(RULES, killer, victim) == pytest.approx(duel(killer, victim, 1, 0), abs=1e-9)


@given(POINTS, POINTS, st.floats(0, 20))
def test_a_weighted_event_is_mirrored_above_the_floor(
    own: float, other: float, weight: float
) -> None:
    after, opposing = score_event(RULES, own, other, weight=weight)
    wanted = weight * 40 * (1 - 1 / (1 + 10 ** ((other - own) / 400)))
    assert after - own == pytest.approx(wanted, abs=1e-9)
    assert opposing == pytest.approx(max(0.0, other - wanted), abs=1e-9)


@given(st.floats(0, 19))
def test_a_suicide_costs_half_of_k_down_to_the_floor(rating: float) -> None:
    assert suicide(RULES, 1000 + rating) == 980 + rating
    assert suicide(RULES, rating) == 0


def test_a_strong_killer_of_a_weak_mate_pays_most() -> None:
    assert 1000 - team_kill(RULES, 1000, 400) > 1000 - team_kill(RULES, 1000, 1600) > 0
    assert team_kill(RULES, 3, 3) == 0


def test_decay() -> None:
    tired = FragsParameters(decay=10)
    assert decay(tired, 100) == 90
    assert decay(tired, 100, 2.5) == 75
    assert decay(tired, 3) == 0
    by_date = create("frags", decay=10).drift.apply(np.array([100.0, 3.0, 0.0]))
    assert by_date.tolist() == [decay(tired, 100), 0, 0]
    assert decay(RULES, 3, 1e308) == 3


def test_an_empty_team_is_refused() -> None:
    with pytest.raises(ValueError, match="team is empty"):
        score_against_team(RULES, 1000, [])


@given(*[st.floats(0, allow_infinity=False)] * 2, st.floats(0, 1e6))
def test_finite_for_every_finite_rating(own: float, other: float, weight: float) -> None:
    after = (
        *score_event(RULES, own, other, weight=weight),
        score_against_team(RULES, own, [other, other], weight=weight),
        suicide(RULES, own),
        team_kill(RULES, own, other),
        decay(FragsParameters(decay=1000), own, 1e308),
    )
    assert all(math.isfinite(rating) and rating >= 0 for rating in after)
    assert 0 <= expect(RULES, own, other) <= 1


class TestOverall:
    def test_is_the_mean_weighted_by_games(self) -> None:
        both = overall(RULES, [1000, 400], [30, 10])
        assert both.value == 850
        assert both.games == 40
        assert both.spread == pytest.approx(math.sqrt(0.75 * 150**2 + 0.25 * 450**2))

    def test_one_role_is_its_own_rating(self) -> None:
        one = overall(RULES, [1000], [5])
        assert (one.value, one.spread) == (1000, 0)
        assert one.deviation == pytest.approx(deviation_of(RULES, 5))

    def test_a_role_never_played_says_nothing(self) -> None:
        assert overall(RULES, [1000, 0], [5, 0]) == overall(RULES, [1000], [5])

    def test_uncertainty_falls_with_games_to_what_chance_leaves(self) -> None:
        figures = [deviation_of(RULES, games) for games in (0, 1, 10, 100, 10_000)]
        assert figures[0] == 400
        assert figures[1] == pytest.approx(math.hypot(400 * (1 - math.log(10) / 40), 20))
        assert figures == sorted(figures, reverse=True)
        pull = 40 * math.log(10) / 1600
        assert figures[-1] == pytest.approx(20 / math.sqrt(1 - (1 - pull) ** 2))

    def test_games_in_several_roles_even_chance_out(self) -> None:
        split = overall(RULES, [900, 900], [500, 500]).deviation
        assert split == pytest.approx(deviation_of(RULES, 500) / math.sqrt(2))

    @pytest.mark.parametrize(
        ("values", "games"), [([1.0], [0]), ([], []), ([1.0], [1, 2]), ([1.0, 2.0], [3, -1])]
    )
    def test_refuses_what_cannot_be_weighted(self, values: list[float], games: list[int]) -> None:
        with pytest.raises(ValueError, match="must be one count for each role"):
            overall(RULES, values, games)

    def test_finite_at_the_ends_of_the_parameters(self) -> None:
        for k in (0.0, 1000.0):
            for scale in (1.0, 10_000.0):
                rules = FragsParameters(k=k, scale=scale)
                assert math.isfinite(overall(rules, [0, 1e300], [1, 10**9]).deviation)


class TestFrag:
    @pytest.mark.parametrize(
        ("make", "is_suicide", "is_team_kill"),
        [
            (lambda: Frag(Side("a"), Side("b")), False, False),
            (lambda: Frag(Side("a"), Side("a")), True, False),
            (lambda: Frag(None, Side("a")), True, False),
            (lambda: Frag(Side("a"), None, "capture"), False, False),
            (lambda: Frag(Side("a", "red"), Side("b", "red")), False, True),
            (lambda: Frag(Side("a", "red"), Side("b", "blue")), False, False),
            (lambda: Frag(Side("a", "red"), Side("a", "red")), True, False),
        ],
    )
    def test_kinds(self, make: Callable[[], Frag], is_suicide: bool, is_team_kill: bool) -> None:
        assert (make().is_suicide, make().is_team_kill) == (is_suicide, is_team_kill)

    def test_must_name_somebody(self) -> None:
        with pytest.raises(ValueError, match="capture: must have a killer or a victim"):
            Frag(None, None, "capture")
