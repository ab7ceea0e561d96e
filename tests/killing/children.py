"""What the processes of the harness do: rate, feed, tune, build the scene, and rate it all again in peace.

Imported once by a server that forks them, so that a killed worker is back within milliseconds.
"""

import json
import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import django
import psycopg
from django.apps import apps

if not apps.ready:
    django.setup()

from django.conf import settings
from django.db import connection, connections

from config.celery import app
from foundation.postgresql import lease
from ratings import tasks
from ratings.models import Game, Ladder, ParameterVersion, RatingTrack
from ratings.runs import run as runs
from ratings.runs.write import StalePositionError
from ratings.tracks import parameters
from tests.killing.defences import Defence, lay_down
from tests.lasting import lift_limits

__all__ = [
    "Terms",
    "at_work",
    "build",
    "feed",
    "play_quietly",
    "rate",
    "replay",
    "survive",
    "tune",
]

PLAYERS = 300
RUN_DEADLINE = 1.5
LOCK_DEADLINE = 1.5
LOCK_WAIT = 0.25

# Who meets whom and how it ends follows from the match's id.
_FEED = """
WITH fed AS (
    INSERT INTO ratings_match (ladder_id, game_id, external_id, state, map, played_at, confirmed_at, extra)
    SELECT ladder.id, ladder.game_id, gen_random_uuid()::text, 'confirmed', '', clock_timestamp(),
           clock_timestamp(), '{}'
    FROM ratings_ladder AS ladder, generate_series(1, %(matches)s)
    RETURNING id
), drawn AS (
    SELECT id, (hashint8extended(id, 1) & 1048575) %% %(players)s AS one,
           1 + (hashint8extended(id, 2) & 1048575) %% (%(players)s - 1) AS ahead,
           (hashint8extended(id, 3) & 1048575) %% 3 AS ends
    FROM fed
)
INSERT INTO ratings_participant (match_id, player_id, team, rank, character, left_early)
SELECT drawn.id, base.id + side.player, side.team, side.rank, '', false
FROM drawn, (SELECT min(id) AS id FROM ratings_player) AS base,
     LATERAL (VALUES (one, 0, (ends = 1)::int),
                     ((one + ahead) %% %(players)s, 1, (ends = 0)::int)) AS side (player, team, rank)
"""
_BACKLOG = """
SELECT (SELECT count(*) FROM ratings_match WHERE ladder_id = ladder.id AND ladder_seq IS NULL)
       + ladder.last_seq - (SELECT min(rated_seq) FROM ratings_ratingtrack WHERE period_days IS NULL)
FROM ratings_ladder AS ladder
"""
_PLAYERS = """
INSERT INTO ratings_player (game_id, kind, external_id, name, skeleton)
SELECT %s, 'person', n::text, 'player ' || n, 'player ' || n FROM generate_series(1, %s) AS n
"""


@dataclass(frozen=True)
class Terms:
    """What a process is told.

    name     its application_name in the database
    notes    file to which it appends a line of JSON for everything it wants counted
    burst    matches of the largest batches that are fed
    """

    database: str
    name: str
    notes: str
    seed: int
    burst: int
    without: frozenset[Defence] = frozenset()

    @property
    def trouble(self) -> str:
        """The file to which it writes whatever it prints, tracebacks among it."""
        return f"{self.notes}.stderr"


@contextmanager
def at_work(terms: Terms, *, in_peace: bool = False) -> Iterator[Callable[[str], None]]:
    """Use the harness's database under the process's name; gives what notes things down.

    Deadlines are short, for whoever is stopped is to be found out soon; but `in_peace` only a busy machine holds
    anything up, and there is time.
    """
    log = os.open(terms.notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    trouble = os.open(terms.trouble, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(trouble, 1)
    os.dup2(trouble, 2)
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # an impatient reader interrupts the harness, which ends us
    given = connections["default"].settings_dict
    given["NAME"], given["CONN_MAX_AGE"] = terms.database, None
    given["OPTIONS"] = {**given.get("OPTIONS", {}), "application_name": terms.name}
    if not in_peace:
        settings.RATING_RUN_DEADLINE = RUN_DEADLINE
        lease.__dict__.update(DEADLINE_SECONDS=LOCK_DEADLINE, _WAIT_SECONDS=LOCK_WAIT)
    app.conf.update(task_always_eager=False, task_default_queue="killing")

    def note(what: str) -> None:
        os.write(log, (json.dumps({"who": terms.name, "what": what}) + "\n").encode())

    try:
        with connection.execute_wrapper(lift_limits) if in_peace else nullcontext():
            yield note
    finally:
        connection.close()


def rate(terms: Terms) -> None:
    """Rate whatever is due, again and again, as workers do; SIGTERM ends it between two rounds."""
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: asked.append(number))
    with at_work(terms) as note:
        lay_down(terms.without)
        _note_stale(note)
        dice = random.Random(terms.seed)
        while not asked:
            survive(lambda: _one_round(dice), note)
            time.sleep(dice.uniform(0, 0.02))


def _one_round(dice: random.Random) -> None:
    """Run the regular task, or one track as whoever has just asked for it would, waiting for its turn."""
    if dice.random() < 0.6:
        tasks.rate_due_tracks()
    else:
        runs.rate_track(dice.choice(list(RatingTrack.objects.values_list("pk", flat=True))))


def _note_stale(note: Callable[[str], None]) -> None:
    commit = runs.__dict__["commit"]

    def noted(position: Any, rated: Any) -> None:
        try:
            commit(position, rated)
        except StalePositionError:
            note("stale")
            raise
        note("committed")

    runs.__dict__["commit"] = noted


def survive(work: Callable[[], None], note: Callable[[str], None]) -> None:
    """Let a failure end this piece of work only, as a task queue does; what failed is noted.

    Ends the process when the harness itself has been killed.
    """
    harness = multiprocessing.parent_process()
    if harness is not None and not harness.is_alive():
        sys.exit("the harness is gone")
    try:
        work()
    except Exception as error:
        note(_name_of(error.__cause__ or error))
        connection.close()


def _name_of(error: BaseException) -> str:
    """Name an error so that those alike are counted together."""
    told = error.diag if isinstance(error, psycopg.Error) else None
    words = told and (told.constraint_name or told.message_primary)
    return f"{type(error).__name__}: {words or str(error).partition(chr(10))[0]}"[:100]


def feed(terms: Terms) -> None:
    """Confirm matches without end: mostly a few at a time, now and then very many."""
    with at_work(terms) as note:
        dice = random.Random(terms.seed)
        while True:
            is_burst = dice.random() < 0.06
            matches = (
                dice.randint(terms.burst // 2, terms.burst) if is_burst else dice.randint(1, 80)
            )
            survive(lambda n=matches: _feed_batch(n, terms.burst), note)  # type: ignore[misc]
            time.sleep(dice.uniform(0.01, 0.12))


def _feed_batch(matches: int, most: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_BACKLOG)
        if cursor.fetchone()[0] < 2 * most:
            cursor.execute(_FEED, {"matches": matches, "players": PLAYERS})


def tune(terms: Terms) -> None:
    """Change parameters "from now on" every few seconds, as an operator in a hurry would."""
    with at_work(terms) as note:
        dice = random.Random(terms.seed)
        while True:
            time.sleep(dice.uniform(1.0, 4.0))
            survive(lambda: _turn_a_knob(dice), note)


def _turn_a_knob(dice: random.Random) -> None:
    track = dice.choice(list(RatingTrack.objects.all()))
    knob = {"elo": ("k_established", 16.0, 48.0), "glicko": ("deviation_min", 20.0, 40.0)}
    name, low, high = knob[track.system]
    value = round(dice.uniform(low, high), 1)
    parameters.change_parameters(track=track, parameters={name: value}, actor=None, note="")


def build(terms: Terms, period_seconds: float) -> None:
    """Make a ladder with one track that rates at once and one that rates by period, and its players."""
    with at_work(terms, in_peace=True):
        game = Game.objects.create(slug="killing", name="Killing")
        ladder = Ladder.objects.create(
            game=game, slug="killing", name="Killing", established_after=20, pool_minimum=50
        )
        period_days = period_seconds / 86_400
        for system, days in (("elo", None), ("glicko", period_days)):
            parameters.create_track(
                ladder=ladder, system=system, parameters={}, period_days=days, shown=days is None
            )
        with connection.cursor() as cursor:
            cursor.execute(_PLAYERS, [game.pk, PLAYERS])


def play_quietly(terms: Terms) -> None:
    """Feed a few batches and rate them, with nobody killed."""
    with at_work(terms, in_peace=True):
        for _ in range(3):
            _feed_batch(terms.burst, terms.burst)
            tasks.rate_due_tracks()
        time.sleep(1.1)  # the last period of a second is over
        tasks.rate_due_tracks()


def replay(terms: Terms, originals: Collection[int]) -> None:
    """Rate the same sequence from nothing on new tracks, one process alone: generation 2 of each original."""
    with at_work(terms, in_peace=True) as note:
        for track in RatingTrack.objects.filter(pk__in=originals):
            survive(lambda it=track: _replay(it), note)  # type: ignore[misc]


def _replay(track: RatingTrack) -> None:
    versions = list(ParameterVersion.objects.filter(track=track).order_by("number"))
    again = RatingTrack.objects.create(
        ladder_id=track.ladder_id,
        system=track.system,
        period_days=track.period_days,
        generation=2,
    )
    ParameterVersion.objects.bulk_create(
        ParameterVersion(
            track=again, number=it.number, applies_from=it.applies_from, parameters=it.parameters
        )
        for it in versions
    )
    runs.rate_track(again.pk)
