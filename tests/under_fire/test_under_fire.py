"""A short form of play under fire, and whether the harness would see what the defences keep away."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.db import connection

from tests.forms import often
from tests.killing.database import emptied_template
from tests.under_fire.trial import Plan, attempt

# What two sweeps do that pair the same tickets at the same time, and neither knows of the other.
DOUBLED = {
    "pairs of tickets in two offers",
    "tickets in two live offers",
    "tickets in two matches",
    "tickets of a match that are not matched",
    "offered tickets without a pending offer, or the other way round",
    "players in two matches at once",
}


@pytest.fixture(scope="module")
def template(django_db_setup: None) -> Iterator[str]:
    connection.close()  # a database that somebody uses cannot be copied
    with emptied_template(connection.settings_dict["NAME"]) as name:
        yield name


def test_nothing_is_lost_doubled_or_stuck(template: str) -> None:
    kills = often(6, 12)
    plan = Plan(
        kills=kills, stops=1, seed=7, players=48, pause=0.2, stop_seconds=3.0, patient=False
    )
    report = attempt(template, plan)
    assert report.wrong == {}
    assert sum(report.hits.values()) == kills + 1
    assert report.counts["matches confirmed"] > 0
    assert report.counts["matches of teams"] > 0
    assert report.kept["accepted"] > 0
    assert report.sweeps > 0


@pytest.mark.full
def test_without_the_defences_tickets_are_paired_twice(template: str) -> None:
    """In one of some trials: in one alone two sweepers may happen never to meet."""
    # What is broken need not come to rest.
    plan = Plan(kills=3, stops=0, seed=7, patient=False, without=True, rest=2.0)
    trials = (attempt(template, replace(plan, seed=seed)) for seed in range(7, 14))
    assert any(DOUBLED & set(trial.wrong) for trial in trials)
