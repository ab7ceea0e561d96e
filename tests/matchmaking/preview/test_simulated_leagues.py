"""`simulate_conduct` and `simulate_tastes`: what they print, as a table and as JSON."""

import json
from io import StringIO

from django.core.management import call_command


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_a_league_with_leavers_by_seed_and_evening() -> None:
    given = [
        "--strategy",
        "fcfs",
        "--arrivals",
        "0.5",
        "--hours",
        "0.3",
        "--evenings",
        "2",
        "--every",
        "10",
    ]
    given += ["--begins-with", "0", "6", "--leavers", "0.2"]
    lines = run("simulate_conduct", *given, "--seeds", "2", "--json").splitlines()
    found = [json.loads(line) for line in lines]
    assert [(one["begins_with"], one["seed"]) for one in found] == [(0, 1), (0, 2), (6, 1), (6, 2)]
    assert all(len(one["by_rules"]) == 2 for one in found)
    # The same searches without rules, whatever leavers begin with; other ones with another seed.
    assert found[0]["before"] == found[2]["before"] != found[1]["before"]
    assert found[2]["by_rules"][0]["points"] > 5
    assert found[2]["before"][0]["points"] == 0
    table = run("simulate_conduct", *given, "--seeds", "1")
    assert "points of leavers" in table
    assert table.count("fcfs") == 2 + 4  # compared as a whole, and by evening


def test_tastes_drawn_and_played() -> None:
    small = ("--kinds", "tags", "--players", "60", "--words", "400", "--seeds", "2")
    judged = [
        json.loads(x) for x in run("simulate_tastes", *small, "--by-lot", "--json").splitlines()
    ]
    assert [one["held_out"] for one in judged] == [400, 400]
    assert judged[0]["learned"] != judged[1]["learned"]
    played = [json.loads(line) for line in run("simulate_tastes", *small, "--json").splitlines()]
    assert [one["way"] for one in played] == [
        "none",
        "none",
        "graph",
        "graph",
        "learned",
        "learned",
    ]
    assert [one["judgement"] is None for one in played] == [True] * 4 + [False] * 2
    again = run("simulate_tastes", *small, "--ways", "none", "--first-seed", "2", "--json")
    assert json.loads(again.splitlines()[0]) == played[1]
    table = run("simulate_tastes", *small, "--ways", "none")
    assert "enjoyed" in table
    assert f"{100 * played[0]['liked']:.1f}%" in table
