"""Leagues with leavers: whom these meet, without and with rules, and what is left of their points."""

from dataclasses import replace

import pytest

from matchmaking.management.commands.simulate_conduct import league_by_rules
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.preview.simulation.leavers import League, Played, play_league

LEAGUE = League(
    players=60, leavers=0.2, arrivals=0.2, seconds=3600, match_seconds=120, left=0, sweep_every=5
)
STRATEGIES = ["filters", "buckets", "fcfs"]
# As `manage.py simulate_conduct` has them.
OPTIONS = {
    "hours": 1.0,
    "evenings": 1,
    "apart_days": 1.0,
    "reforms": None,
    "leavers": 0.2,
    "crashes": 0.0,
    "failures": 0.0,
    "every": 5.0,
}


def plan(strategy: str, use: str) -> Plan:
    return Plan(settings=Settings.build(strategy, {"conduct": {"use": use}}))


def play(strategy: str, use: str, league: League, seed: int = 1) -> Played:
    return play_league(plan(strategy, use), league, seed)[0]


def seen(played: Played) -> tuple[int, int, int, int]:
    return played.honest, played.with_leaver, played.leaver_seats, played.among_leavers


@pytest.mark.full
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_whom_the_rules_strike_meets_others_less(strategy: str) -> None:
    before = play(strategy, "off", LEAGUE)
    assert seen(play(strategy, "off", LEAGUE)) == seen(before)
    ruled = replace(LEAGUE, left=0.8, begins_with=4.0)
    among = play(strategy, "drop", ruled)
    assert before.with_leaver > 20
    assert among.share_among_leavers > before.share_among_leavers
    cooling = replace(ruled, cools_for=lambda _points, _offences: 1800.0)
    after = play(strategy, "drop", cooling)
    assert after.share_with_leaver < before.share_with_leaver / 2
    assert after.leaver_seats < before.leaver_seats


def test_whoever_never_leaves_is_never_struck() -> None:
    kind = replace(LEAGUE, leaves=0.0, left=0.8, cools_for=lambda _points, _offences: 1800.0)
    same = replace(LEAGUE, leaves=0.0)
    with_rules = play("fcfs", "drop", kind, 2)
    assert seen(with_rules) == seen(play("fcfs", "off", same, 2))


def test_a_crash_costs_nothing_where_the_player_is_back_or_the_server_has_failed() -> None:
    nobody_leaves = {**OPTIONS, "leavers": 0.0}
    brief = replace(
        league_by_rules(arrivals=0.2, options={**nobody_leaves, "crashes": 0.3}), away_seconds=15
    )
    played = play("fcfs", "drop", brief)
    assert played.crashes > 100
    assert (played.charged, played.crashed_points) == (0, 0)
    assert played.crashed > 50
    failing = league_by_rules(arrivals=0.2, options={**nobody_leaves, "failures": 0.3})
    played = play("fcfs", "drop", failing)
    assert played.crashes > 100
    assert (played.charged, played.crashed_points) == (0, 0)
    # Whoever stays away has left: so it is the rule, and not the simulation, that spares the others.
    away = replace(brief, away_seconds=3000)
    played = play("fcfs", "drop", away)
    assert played.charged > played.crashes / 3


def test_points_fade_and_what_follows_from_them_ends() -> None:
    options = {**OPTIONS, "evenings": 4, "apart_days": 25.0, "reforms": 2}
    league = replace(league_by_rules(arrivals=0.2, options=options), begins_with=6.0)
    evenings = play_league(plan("fcfs", "drop"), league, 1)
    points = [one.points for one in evenings]
    assert points[0] > 6.0
    assert points[1] == pytest.approx(points[0] * 0.5 ** (25 / 14), rel=0.05)
    assert points[3] < 0.2
    among = [one.share_among_leavers for one in evenings]
    assert among[0] > 2 * among[3]
    assert evenings[3].leaver_seats > evenings[0].leaver_seats
