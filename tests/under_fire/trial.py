"""One trial: the scene plays while kills and stops rain down; then everything comes to rest and is counted."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from config.embedded.processes import wait_until
from tests.killing.database import battlefield, session_in
from tests.killing.processes import Child, run_to_end
from tests.under_fire import children
from tests.under_fire.checks import KEPT, PLAY
from tests.under_fire.children import Scene
from tests.under_fire.killer import Killer
from tests.under_fire.watch import Watch

__all__ = ["Plan", "Report", "attempt"]

STOP_SECONDS = 10.0
# Seconds until something happens that takes a few on a machine that is not busy.
LONGEST = 300.0
_AT_REST = """
SELECT NOT EXISTS (SELECT FROM matchmaking_ticket WHERE state IN ('waiting', 'offered'))
   AND NOT EXISTS (SELECT FROM ratings_match WHERE state IN ('playing', 'reported'))
   AND NOT EXISTS (SELECT FROM ratings_match WHERE state = 'confirmed' AND ladder_seq IS NULL)
   AND NOT EXISTS (SELECT FROM ratings_ratingtrack AS track JOIN ratings_ladder AS ladder
                   ON ladder.id = track.ladder_id WHERE track.rated_seq <> ladder.last_seq)
"""
_MATCHES_OF_TEAMS = """
SELECT count(*) FROM ratings_match AS match JOIN ratings_ladder AS ladder ON ladder.id = match.ladder_id
WHERE ladder.team_size > 1
"""
_PLAYED = f"""
SELECT ({_MATCHES_OF_TEAMS}) > 0 AND EXISTS (SELECT FROM ratings_match WHERE state = 'confirmed')
"""  # noqa: S608
_COUNTS = """
SELECT 'tickets', count(*) FROM matchmaking_ticket UNION ALL
SELECT 'tickets ' || state, count(*) FROM matchmaking_ticket GROUP BY state UNION ALL
SELECT 'offers ' || state, count(*) FROM matchmaking_offer GROUP BY state UNION ALL
SELECT 'matches ' || state, count(*) FROM ratings_match GROUP BY state UNION ALL
SELECT 'parties', count(*) FROM matchmaking_party UNION ALL
SELECT 'tickets of parties', count(*) FROM matchmaking_ticket WHERE party_id IS NOT NULL UNION ALL
SELECT 'reports', count(*) FROM ratings_report UNION ALL
SELECT 'rating changes', count(*) FROM ratings_ratingchange
"""
# Two sweepers without defences meet within seconds, or have fallen into step and may not meet for minutes.
MEETING_SECONDS = 30.0
_WITHOUT_CONSTRAINTS = """
DROP INDEX offer_one_live_per_ticket, participant_plays_once, ticket_one_live_per_player;
"""


@dataclass(frozen=True)
class Plan:
    """What to do.

    players  how many play; fewer do more each, which matches of teams need on a busy machine
    pause    mean seconds between two kills
    patient  wait for the real deadlines of a minute; else they are moved to the end of the trial
    rest     seconds in which everything must have come to rest after that
    without  do without the unique indexes, the fence of the sweeps and the locks of their rows
    """

    kills: int
    stops: int
    seed: int
    players: int = 120
    pause: float = 0.5
    stop_seconds: float = STOP_SECONDS
    patient: bool = True
    rest: float = LONGEST
    without: bool = False


@dataclass
class Report:
    """What came of it. `wrong` maps each check that failed to what it counted."""

    plan: Plan
    seconds: float = 0.0
    hits: Counter[tuple[str, str, bool]] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)
    sweeps: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    kept: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, int] = field(default_factory=dict)


def attempt(
    template: str, plan: Plan, *, on_kill: Callable[[int], None] = lambda _: None
) -> Report:
    """Carry out a plan in a copy of the template, and report."""
    report = Report(plan)
    with battlefield(template) as (database, session, folder):
        notes = str(folder / "notes")
        terms = Scene(database, "builder", notes, plan.seed, burst=0, players=plan.players)
        run_to_end(children.build, terms)
        if plan.without:
            session.execute(_WITHOUT_CONSTRAINTS)
        _fight(session, terms, plan, report, on_kill)
        report.kept = _load_kept(session, folder / "notes.kept")
        report.notes = _read_notes(folder / "notes")
        report.counts = dict(session.execute(_COUNTS).fetchall())
        report.counts |= {"matches of teams": _count_matches_of_teams(session)}
        report.wrong |= _ask(session, {**PLAY, **KEPT})
    return report


def _fight(
    session: psycopg.Connection[Any],
    terms: Scene,
    plan: Plan,
    report: Report,
    on_kill: Callable[[int], None],
) -> None:
    began = time.monotonic()
    with _cast(terms, plan) as (workers, players, watch):
        weights = [3.0] * len(workers) + [1.5] * len(players)
        killer = Killer([*workers, *players], weights, random.Random(plan.seed))
        time.sleep(1.5)
        stopper = threading.Thread(target=_stop_some, args=(killer, terms.database, plan))
        stopper.start()
        for number in range(1, plan.kills + 1):
            killer.kill_one(session, plan.pause)
            on_kill(number)
        stopper.join()
        time.sleep(1.0)
        last = time.monotonic()
        time.sleep(5.0 if plan.patient else 1.0)
        if plan.without:
            wait_until(partial(_is_doubled, session), seconds=MEETING_SECONDS)
        elif not wait_until(partial(_is, session, _PLAYED), seconds=LONGEST):
            report.wrong["no teams met, or no match was confirmed"] = 1
        for player in players:
            player.leave()
        hits = [hit for hit in killer.hits if hit.at < last]
        report.waits = sorted(max(watch.waits_after(hit.at)) for hit in hits)
        report.sweeps = sum(map(len, watch.sweeps.values()))
        if not plan.patient:
            time.sleep(children.HEARTBEAT_SECONDS + 1.0)
            run_to_end(children.move_deadlines, replace(terms, name="mover"))
        if not wait_until(partial(_is, session, _AT_REST), seconds=plan.rest, every=0.2):
            report.wrong["it did not come to rest"] = 1
        for worker in workers:
            report.wrong |= {} if worker.is_alive else {"a worker ended by itself": 1}
            worker.leave()
        with (
            suppress(RuntimeError) if plan.without else nullcontext()
        ):  # what is broken may not settle
            run_to_end(children.settle, replace(terms, name="settler"))
    report.hits, report.seconds = killer.count(), time.monotonic() - began


def _count_matches_of_teams(session: psycopg.Connection[Any]) -> int:
    [(number,)] = session.execute(_MATCHES_OF_TEAMS).fetchall()
    return int(number)


def _stop_some(killer: Killer, database: str, plan: Plan) -> None:
    with session_in(database) as session:
        for _ in range(plan.stops):
            killer.stop_one(session, plan.stop_seconds)


@contextmanager
def _cast(terms: Scene, plan: Plan) -> Iterator[tuple[list[Child], list[Child], Watch]]:
    """Two sweepers, two raters, and the players, at work; all dead after the block."""
    started: list[Child] = []

    def start(target: Callable[[Any], None], name: str) -> Child:
        its = replace(terms, name=name, seed=terms.seed + 100_000 * len(started))
        started.append(Child(target, its))
        return started[-1]

    watch = Watch(terms.database)
    watch.start()
    try:
        sweep = children.sweep_unfenced if plan.without else children.sweep
        workers = [start(sweep, f"sweeper-{n}") for n in range(2)]
        workers += [start(children.rate, f"rater-{n}") for n in range(2)]
        players = [start(children.play, f"player-{n}") for n in range(children.SHARES)]
        yield workers, players, watch
    finally:
        for child in started:
            child.kill()
        watch.end()


def _is(session: psycopg.Connection[Any], question: str) -> bool:
    return session.execute(question).fetchone() == (True,)


def _is_doubled(session: psycopg.Connection[Any]) -> bool:
    """Whether two sweeps have paired the same tickets: that can be seen ever after."""
    name = "pairs of tickets in two offers"
    return name in _ask(session, {name: PLAY[name]})


def _load_kept(session: psycopg.Connection[Any], path: Path) -> Counter[str]:
    """Put what was acknowledged into a table beside the rest, to be asked about."""
    session.execute(
        "CREATE TABLE kept (what text, ticket bigint, match bigint, player bigint, offer bigint)"
    )
    counts: Counter[str] = Counter()
    columns = ("what", "ticket", "match", "player", "offer")
    copy_in = f"COPY kept ({', '.join(columns)}) FROM STDIN"
    with session.cursor() as cursor, cursor.copy(copy_in) as copy:
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            row = json.loads(line)
            counts[row["what"] if "code" not in row else f"refused: {row['code']}"] += 1
            copy.write_row([row.get(name) for name in columns])
    session.execute("ANALYZE")
    return counts


def _read_notes(path: Path) -> Counter[str]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else ()
    return Counter(json.loads(line)["what"] for line in lines)


def _ask(session: psycopg.Connection[Any], checks: Mapping[str, str]) -> dict[str, int]:
    found = {}
    for name, query in checks.items():
        row = session.execute(query).fetchone()
        if row is None or row[0] != 0:
            found[name] = int(row[0]) if row else -1
    return found
