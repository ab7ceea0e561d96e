"""Why a match was made, as it is kept."""

import json

import pytest

from matchmaking.pairing import Rules
from matchmaking.pairing.matches import ProposedMatches
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.records import records
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.choose import find_matches
from ratings.systems import create
from tests.matchmaking.pairing.constrained.pools import with_traits
from tests.matchmaking.pairing.queues import waiting

RULES = Rules(gap_start=100, gap_per_second=5)
GERMAN_OR_FRENCH = {"languages": [0b01, 0b11]}


def test_two_by_filters() -> None:
    tickets = with_traits(waiting([1500, 1540], waited=[12, 3]), **GERMAN_OR_FRENCH)
    given = {"language": {"use": "drop", "after": 5}}
    plan = Plan(settings=Settings.build("filters", given), rules=RULES, system=create("elo"))
    found = find_matches(tickets, plan)
    (record,) = json.loads(json.dumps(records(tickets, plan, found), allow_nan=False))
    assert record["strategy"] == "filters"
    assert sorted(record["waited"]) == [3.0, 12.0]
    assert (record["gap"], record["cost"]) == (40.0, 8.0)
    assert record["chance"] == pytest.approx(float(found.chance[0]), abs=1e-4)
    assert record["conditions"] == [
        {"name": "rating_gap", "use": "must", "distance": 40.0, "accepted": 115.0, "cost": 8.0},
        {"name": "language", "use": "drop", "distance": 0.0, "accepted": 0.0, "cost": 0.0},
    ]
    assert "side" in record
    assert "level" not in record


def test_without_a_system_nobody_can_say() -> None:
    tickets, plan = waiting([1500, 1540]), Plan(rules=RULES)
    (record,) = records(tickets, plan, find_matches(tickets, plan))
    assert record["chance"] is None


def test_buckets_say_the_level() -> None:
    given = {"buckets": {"levels": "language: 1; anyone: 10"}}
    plan = Plan(settings=Settings.build("buckets", given), rules=RULES)
    shared = with_traits(waiting([1500, 1540]), **GERMAN_OR_FRENCH)
    strangers = with_traits(waiting([1500, 1540], waited=[2, 2]), languages=[0b01, 0b10])
    levels = [records(each, plan, find_matches(each, plan)) for each in (shared, strangers)]
    assert [record["level"] for (record,) in levels] == [1, 2]
    assert all(record["conditions"] == [] for (record,) in levels)  # nobody avoids anybody


def test_while_a_pool_is_mixed() -> None:
    settings = Settings.build("filters", {"bootstrap": {"until": 100}})
    plan = Plan(settings=settings, rules=RULES, is_grown=False)
    tickets = waiting([1000, 2000])
    (record,) = records(tickets, plan, find_matches(tickets, plan))
    assert (record["strategy"], record["gap"], record["conditions"]) == ("bootstrap", 1000.0, [])


def test_teams() -> None:
    tickets = with_traits(
        waiting([1500, 1520, 1540, 1560], waited=[50] * 4), languages=[1, 3, 1, 1]
    )
    settings = Settings.build("filters", {"language": {"use": "prefer"}})
    plan = Plan(settings=settings, rules=RULES, team_size=2, system=create("trueskill"))
    (record,) = records(tickets, plan, find_matches(tickets, plan))
    assert [each["name"] for each in record["conditions"]] == ["language"]
    assert record["conditions"][0]["accepted"] is None
    assert len(record["waited"]) == 4
    assert {"spread", "teams", "split"} <= set(record)


def test_no_match() -> None:
    tickets, plan = waiting([1000, 2000]), Plan(rules=RULES)
    found: ProposedMatches = find_matches(tickets, plan)
    assert records(tickets, plan, found) == []
