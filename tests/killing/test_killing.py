"""Killed and stopped rating runs, and whether the harness would see what they broke."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from tests.forms import often
from tests.killing import children
from tests.killing.database import emptied_template, fresh_database, session_in
from tests.killing.defences import Defence
from tests.killing.processes import run_to_end
from tests.killing.sessions import Phase
from tests.killing.trial import Plan, attempt, check
from tests.killing.watch import wait_until_gone

TRACKS = {"elo": 1, "glicko": 2}


@pytest.fixture(scope="module")
def template(django_db_setup: None) -> Iterator[str]:
    connection.close()  # a database that somebody uses cannot be copied
    with emptied_template(connection.settings_dict["NAME"]) as name:
        yield name


@pytest.fixture(scope="module")
def quiet_database(
    template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[psycopg.Connection[Any]]:
    """A database in which everything is rated and all is well."""
    notes: Path = tmp_path_factory.mktemp("killing") / "notes"
    with fresh_database(template) as database:
        terms = children.Terms(database, "quiet", str(notes), seed=1, burst=200)
        run_to_end(children.build, terms, 1.0)
        run_to_end(children.play_quietly, terms)
        with session_in(database) as session:
            wait_until_gone(session, seconds=120.0)
            yield session


def test_killed_and_stopped_workers_leave_what_a_clean_run_leaves(template: str) -> None:
    kills = often(4, 8)
    report = attempt(template, Plan(kills=kills, seed=7, burst=often(3000, 6000)))
    assert report.wrong == {}
    assert len(report.hits) >= kills
    assert report.hits_in(Phase.COPYING)
    assert report.hits_in(Phase.HOLDING)


@pytest.mark.full
def test_without_any_defence_matches_are_rated_twice_or_never(template: str) -> None:
    """In one of three trials: on a busy machine two workers may happen never to meet in the first."""
    plan = Plan(kills=3, seed=7, without=frozenset(Defence), burst=3000, quiet=1.0)
    trials = (attempt(template, replace(plan, seed=seed)) for seed in (7, 8, 9))
    assert any(tells_of_harm(trial.wrong) for trial in trials)


def tells_of_harm(wrong: Collection[str]) -> bool:
    is_rated_wrongly = any("twice" in name or "never rated" in name for name in wrong)
    return is_rated_wrongly and any("clean run" in name for name in wrong)


def test_nothing_is_wrong_where_nobody_was_killed(
    quiet_database: psycopg.Connection[Any],
) -> None:
    assert check(quiet_database, TRACKS) == {}


FAULTS = {
    "sequence: places left out": "UPDATE ratings_match SET ladder_seq = 9999 WHERE ladder_seq = 7",
    "sequence: confirmed matches without a place": """
        UPDATE ratings_match SET ladder_seq = NULL, counts_at = NULL WHERE ladder_seq = 7""",
    "sequence: places given twice": """
        DROP INDEX match_sequence_unique; UPDATE ratings_match SET ladder_seq = 6 WHERE ladder_seq = 7""",
    "sequence: times that go back": """
        UPDATE ratings_match SET counts_at = counts_at - interval '1 day'
        WHERE ladder_seq = (SELECT max(ladder_seq) FROM ratings_match)""",
    "instant: matches never rated": """
        DELETE FROM ratings_ratingchange WHERE id = (SELECT max(id) FROM ratings_ratingchange WHERE track_id = 1)""",
    "instant: matches rated twice": """
        DROP INDEX change_once_per_match;
        INSERT INTO ratings_ratingchange
            (track_id, kind, player_id, match_id, at, games, value_before, value_after)
        SELECT track_id, kind, player_id, match_id, at, games, value_before, value_after
        FROM ratings_ratingchange WHERE track_id = 1 LIMIT 1""",
    "period: closed twice": """
        DROP INDEX period_number_unique, period_last_seq_unique;
        INSERT INTO ratings_ratingperiod (track_id, number, version_id, starts_at, ends_at, first_seq, last_seq,
                                          games, players, new_players, mean, spread, closed_at)
        SELECT track_id, number, version_id, starts_at, ends_at, first_seq, last_seq,
               games, players, new_players, mean, spread, closed_at FROM ratings_ratingperiod LIMIT 1""",
    "period: ranges with gaps or overlaps": """
        UPDATE ratings_ratingperiod SET first_seq = first_seq + 1 WHERE number = 0""",
    "period: matches in no period": """
        UPDATE ratings_ratingperiod SET last_seq = last_seq - 1
        WHERE last_seq = (SELECT max(last_seq) FROM ratings_ratingperiod)""",
    "period: matches outside the time of theirs": """
        UPDATE ratings_ratingperiod SET ends_at = starts_at + interval '1 microsecond'""",
    "period: players never rated in one": """
        DELETE FROM ratings_ratingchange WHERE id = (SELECT max(id) FROM ratings_ratingchange WHERE track_id = 2)""",
    "period: players rated twice in one": """
        DROP INDEX change_once_per_period;
        INSERT INTO ratings_ratingchange
            (track_id, kind, player_id, period_id, at, games, value_before, value_after)
        SELECT track_id, kind, player_id, period_id, at, games, value_before, value_after
        FROM ratings_ratingchange WHERE track_id = 2 LIMIT 1""",
    "elo: ratings unlike the last row of the ledger": """
        UPDATE ratings_rating SET value = value * 1.0000000000000003 WHERE track_id = 1""",
    "glicko: ratings whose games do not add up": """
        UPDATE ratings_rating SET wins = wins + 1, losses = losses - 1 WHERE track_id = 2 AND losses > 0""",
    "elo: rows of the ledger that do not follow the one before": """
        UPDATE ratings_ratingchange SET value_before = value_before + 1 WHERE track_id = 1""",
    "elo: revisions told of twice": """
        INSERT INTO events_event (kind, payload, at) SELECT kind, payload, at FROM events_event""",
    "elo: commits and events differ in number": "DELETE FROM events_event",
    "glicko: track not at the end of the sequence": """
        UPDATE ratings_ratingtrack SET rated_seq = rated_seq - 1 WHERE id = 2""",
    "left over: claims": """
        INSERT INTO ratings_ratingrun (track_id, backend, backend_started_at, claimed_at, deadline)
        SELECT 1, 1, now(), now(), now()""",
    "left over: staging tables": "CREATE TEMP TABLE staged_rating ()",
    "left over: locks": "SELECT pg_advisory_xact_lock(1)",
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_seen(quiet_database: psycopg.Connection[Any], name: str) -> None:
    with quiet_database.transaction(force_rollback=True):
        quiet_database.execute("SET LOCAL session_replication_role = replica")  # no trigger objects
        quiet_database.execute(FAULTS[name])
        assert name in check(quiet_database, TRACKS)
