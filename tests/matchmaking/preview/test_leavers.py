"""Leagues with leavers: whom these meet, without and with rules."""

from dataclasses import replace

import pytest

from matchmaking.pairing.plan import Plan
from matchmaking.pairing.settings import Settings
from matchmaking.preview.simulation.leavers import League, Played, play_league

LEAGUE = League(
    players=60, leavers=0.2, arrivals=0.2, seconds=3600, match_seconds=120, left=0, sweep_every=5
)
STRATEGIES = ["filters", "buckets", "fcfs"]


def plan(strategy: str, use: str) -> Plan:
    return Plan(settings=Settings.build(strategy, {"conduct": {"use": use}}))


def seen(played: Played) -> tuple[int, int, int, int]:
    return played.honest, played.with_leaver, played.leaver_seats, played.among_leavers


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_whom_the_rules_strike_meets_others_less(strategy: str) -> None:
    before = play_league(plan(strategy, "off"), LEAGUE, 1)
    assert seen(play_league(plan(strategy, "off"), LEAGUE, 1)) == seen(before)
    ruled = replace(LEAGUE, left=0.8, begins_with=4.0)
    among = play_league(plan(strategy, "drop"), ruled, 1)
    assert before.with_leaver > 20
    assert among.share_among_leavers > before.share_among_leavers
    cooling = replace(ruled, cools_for=lambda _points, _offences: 1800.0)
    after = play_league(plan(strategy, "drop"), cooling, 1)
    assert after.share_with_leaver < before.share_with_leaver / 2
    assert after.leaver_seats < before.leaver_seats


def test_whoever_never_leaves_is_never_struck() -> None:
    kind = replace(LEAGUE, leaves=0.0, left=0.8, cools_for=lambda _points, _offences: 1800.0)
    same = replace(LEAGUE, leaves=0.0)
    with_rules = play_league(plan("fcfs", "drop"), kind, 2)
    assert seen(with_rules) == seen(play_league(plan("fcfs", "off"), same, 2))
