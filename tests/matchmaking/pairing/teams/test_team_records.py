"""Why matches of teams were made, as it is kept."""

import json
from dataclasses import replace

from matchmaking.pairing.records import map_and_side_records, team_records
from matchmaking.pairing.strategies.choose import find_matches
from tests.matchmaking.pairing.teams.pools import plan_for, pool


def test_the_record_of_a_match_of_parties() -> None:
    tickets = pool([[1500, 1500], [1480], [1500], [1540], [1520]], [4, 0, 2, 2, 2])
    plan = plan_for(2, 3)
    found = find_matches(tickets, plan)
    (record,) = json.loads(json.dumps(team_records(tickets, plan, found)))
    assert record["spread"] == {"points": 60.0, "accepted": 300.0}
    assert sorted(team["parties"] for team in record["teams"]) == [[1, 1, 1], [2, 1]]
    means = [team["rating"] for team in record["teams"]]
    assert round(max(means) - min(means), 2) == record["split"].pop("difference")
    assert record["split"] == {"way": "best", "tried": 4, "imparity": 0.67}


def test_how_the_teams_were_found() -> None:
    tickets = pool([[1500.0 + n] for n in range(20)])
    rule = plan_for(2, 10, settings={"teams": {"split": "sources"}})
    for plan, way in ((rule, "rule"), (plan_for(2, 10), "exchanges")):
        (record,) = team_records(tickets, plan, find_matches(tickets, plan))
        split = record["split"]
        assert isinstance(split, dict)
        assert (split["way"], split["tried"]) == (way, 1)


def test_why_there_and_why_this_side() -> None:
    tickets = pool(
        [[1500], [1540]], maps_vetoed=[1, 0], maps_liked=[4, 2], map_points=[[0, 0, 0], [0, 0, 150]]
    )
    plan = plan_for(2, 1, settings={"maps": {"names": "A; B +10; C"}})
    found = find_matches(tickets, plan)
    (record,) = map_and_side_records(tickets, plan, found)
    assert record["map"] == {"name": "B", "why": "even", "likes": 1, "uneven": 30.0}
    assert record["side"] == {"points": 10.0, "why": "weaker first"}
    hidden = replace(plan, hides_strength=True)
    (record,) = map_and_side_records(tickets, hidden, find_matches(tickets, hidden))
    assert record["side"] == {"points": 10.0, "why": "lot"}


def test_without_maps_and_a_better_side_there_is_little_to_say() -> None:
    tickets, plan = pool([[1500], [1540]]), plan_for(2, 1)
    records = map_and_side_records(tickets, plan, find_matches(tickets, plan))
    assert records == [{"side": {"points": 0.0, "why": "lot"}}]


def test_no_match_no_record() -> None:
    tickets, plan = pool([[1500]]), plan_for(2, 2)
    found = find_matches(tickets, plan)
    assert (team_records(tickets, plan, found), map_and_side_records(tickets, plan, found)) == (
        [],
        [],
    )
