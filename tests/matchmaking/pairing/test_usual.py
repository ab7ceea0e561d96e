"""What a new queue begins with, on any scale."""

from dataclasses import replace

import numpy as np
import pytest

from matchmaking.pairing.conditions.win_chance import expect
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.settings.defaults import Scale, usual_for
from matchmaking.pairing.strategies.choose import find_matches
from ratings.systems import create
from ratings.systems.base import System
from ratings.systems.registry import names
from tests.matchmaking.pairing.queues import waiting

TRUESKILL = create("trueskill")
LIKE_ELO = create("trueskill", start=1500.0, deviation_start=350.0, beta=220.0, tau=4.0)


@pytest.mark.parametrize("system", [None, create("elo"), create("glicko2"), LIKE_ELO])
def test_on_the_scale_of_elo_all_is_as_by_default(system: System | None) -> None:
    usual = usual_for(system, is_duel=True)
    assert (usual.rules, usual.settings) == (Plan().rules, Settings())


def test_on_the_scale_of_trueskill_a_point_of_elo_is_little() -> None:
    usual = usual_for(TRUESKILL, is_duel=True)
    assert (usual.rules.gap_start, usual.rules.gap_per_second) == (2.1, 0.11)
    assert usual.settings.different() == {
        "exchange": {"points_per_second": 0.11},
        "teams": {"spread_start": 6.4, "spread_per_second": 0.11, "party_bonus": 0.21},
        "buckets": {"borders": "18.6, 22.9, 27.1, 31.4, 35.7"},
    }


def test_borders_move_with_the_rating_of_newcomers() -> None:
    usual = usual_for(create("elo", start=1000.0), is_duel=True)
    assert usual.settings.different() == {"buckets": {"borders": "700, 900, 1100, 1300, 1500"}}


@pytest.mark.parametrize("system", [create("elo"), TRUESKILL])
def test_of_a_match_of_teams_the_gap_forbids_nothing_that_the_spread_allows(system: System) -> None:
    usual = usual_for(system, is_duel=False)
    teams = usual.settings.teams
    assert usual.rules.gap_start == teams.spread_start
    assert usual.rules.gap_per_second == teams.spread_per_second
    plan = Plan(system=system, team_size=2, rules=usual.rules, settings=usual.settings)
    start, points = Scale.of(system).start, Scale.of(system).point
    near = waiting(start + points * np.array([0.0, 280.0, 140.0, 200.0]))
    assert len(find_matches(near, plan)) == 1
    far = waiting(start + points * np.array([0.0, 320.0, 140.0, 200.0]))
    assert len(find_matches(far, plan)) == 0


@pytest.mark.parametrize("beta", [0.001, 10_000.0])
def test_any_scale_has_settings_within_their_ranges(beta: float) -> None:
    system = create(
        "trueskill", beta=beta, start=0.0, deviation_start=0.02, deviation_min=0.01, tau=0.0
    )
    different = usual_for(system, is_duel=False).settings.different()
    assert Settings.build("filters", different).different() == different


@pytest.mark.parametrize("name", names())
def test_the_gap_at_the_start_is_nearly_the_same_chance_everywhere(name: str) -> None:
    system = create(name)
    gap = usual_for(system, is_duel=True).rules.gap_start
    tickets = replace(waiting([1500.0, 1500.0 + gap]), deviation=np.zeros(2))
    chance = expect(tickets, system, np.array([1]), np.array([0]), points=0.0)
    assert chance[0] == pytest.approx(0.64, abs=0.005)
