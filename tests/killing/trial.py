"""One trial: workers rate while matches come in and kills rain down; then everything is counted."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.killing import children
from tests.killing.checks import AFTER_REPLAY, EACH_TRACK, WHOLE
from tests.killing.database import battlefield
from tests.killing.defences import Defence, drop_constraints
from tests.killing.killer import Hit, Killer, Order, orders_for
from tests.killing.processes import Child, run_to_end
from tests.killing.sessions import Phase
from tests.killing.watch import Watch, wait_for_quiet, wait_until_gone

__all__ = ["Plan", "Report", "attempt", "check"]

WORKERS = 2
_COUNTS = """
SELECT (SELECT count(*) FROM ratings_match), (SELECT count(*) FROM ratings_ratingperiod),
       (SELECT count(*) FROM ratings_parameterversion)
"""
_TRACKS = "SELECT id, system, generation FROM ratings_ratingtrack ORDER BY id"


@dataclass(frozen=True)
class Plan:
    """What to do to the workers.

    burst    matches of the largest batches: the larger, the longer a COPY can be hit
    quiet    seconds that are left to finish when the kills are over; most are needed on a busy machine only
    """

    kills: int
    seed: int
    without: frozenset[Defence] = frozenset()
    burst: int = 12_000
    period_seconds: float = 2.0
    quiet: float = 300.0


@dataclass(frozen=True)
class Pause:
    """The longest time a track stood still, and how many hits fell into it."""

    system: str
    seconds: float
    hits: int


@dataclass
class Report:
    """What came of a trial.

    wrong         maps each check that failed to how many rows it found
    pauses        the longest of each track
    longest_wait  seconds from a worker being stopped to the next commit of the other
    """

    plan: Plan
    hits: list[Hit] = field(default_factory=list)
    missed: int = 0
    feeder_kills: int = 0
    seconds: float = 0.0
    matches: int = 0
    periods: int = 0
    versions: int = 0
    notes: Counter[str] = field(default_factory=Counter)
    pauses: list[Pause] = field(default_factory=list)
    longest_wait: float = 0.0
    wrong: dict[str, int] = field(default_factory=dict)

    def hits_in(self, *phases: Phase) -> int:
        """How many kills and stops hit a worker in one of these phases."""
        return sum(hit.phase in phases for hit in self.hits)

    @property
    def hits_inside(self) -> int:
        """How many hit a worker that was at work."""
        return len(self.hits) - self.hits_in(Phase.IDLE)

    @property
    def missing_inside(self) -> int:
        """How many more must hit a worker at work: half of those planned prove something."""
        return max(0, (self.plan.kills + 1) // 2 - self.hits_inside)


def attempt(
    template: str, plan: Plan, *, on_kill: Callable[[int], None] = lambda _: None
) -> Report:
    """Carry out a plan in a copy of the template, and report."""
    report = Report(plan)
    with battlefield(template) as (database, session, folder):
        notes = folder / "notes"
        terms = children.Terms(database, "builder", str(notes), plan.seed, plan.burst, plan.without)
        run_to_end(children.build, terms, plan.period_seconds)
        if Defence.CONSTRAINTS in plan.without:
            drop_constraints(session)
        _fight(session, terms, plan, report, on_kill)
        _count(session, report)
        _replay_and_check(session, terms, report)
        report.notes = _read(notes)
    return report


def _fight(
    session: psycopg.Connection[Any],
    terms: children.Terms,
    plan: Plan,
    report: Report,
    on_kill: Callable[[int], None],
) -> None:
    began, dice = time.monotonic(), random.Random(plan.seed)
    with _cast(terms) as (workers, feeder, tuner, watch):
        killer = Killer(session, workers, feeder, dice, plan.without, report.hits)
        time.sleep(1.0)
        for number, order in enumerate(orders_for(plan.kills, dice), start=1):
            killer.carry_out(order)
            on_kill(number)
        # Too many may have found an idle worker by chance. Without its claim each looks idle.
        for _ in range(0 if plan.without else report.missing_inside):
            killer.carry_out(Order.KILL_HOLDING)
        feeder.kill()
        tuner.kill()
        wait_until_gone(session, "^(feeder|tuner)", seconds=plan.quiet)
        if not wait_for_quiet(session, seconds=plan.quiet):
            report.wrong["the workers did not finish"] = 1
        for worker in workers:
            if not worker.is_alive:
                report.wrong["a worker ended by itself"] = 1
            worker.leave()
        _measure_pauses(session, watch, killer.hits, report)
    report.missed, report.feeder_kills = killer.missed, killer.feeder_kills
    report.seconds = time.monotonic() - began
    if missing := report.missing_inside:
        report.wrong["hits missing inside a run: too few to prove anything"] = missing


def _measure_pauses(
    session: psycopg.Connection[Any], watch: Watch, hits: Sequence[Hit], report: Report
) -> None:
    for track, system, _ in session.execute(_TRACKS):
        begin, end = watch.longest_gap(track)
        within = sum(begin < hit.at < end for hit in hits)
        report.pauses.append(Pause(system, end - begin, within))
    stops = [watch.wait_after(hit.at) for hit in hits if hit.order.is_stop]
    report.longest_wait = max(stops, default=0.0)


@contextmanager
def _cast(
    terms: children.Terms,
) -> Iterator[tuple[Sequence[Child], Child, Child, Watch]]:
    """Workers, feeder and tuner at work, and the watch; all dead after the block."""
    started: list[Child] = []

    def start(target: Callable[[children.Terms], None], name: str) -> Child:
        seed = terms.seed + 100_000 * len(started)
        its = children.Terms(terms.database, name, terms.notes, seed, terms.burst, terms.without)
        started.append(Child(target, its))
        return started[-1]

    watch = Watch(terms.database)
    watch.start()
    try:
        workers = [start(children.rate, f"rater-{n}") for n in range(WORKERS)]
        yield workers, start(children.feed, "feeder"), start(children.tune, "tuner"), watch
    finally:
        for child in started:
            child.kill()
        watch.end()


def _count(session: psycopg.Connection[Any], report: Report) -> None:
    row = session.execute(_COUNTS).fetchone() or (0, 0, 0)
    report.matches, report.periods, report.versions = row


def _replay_and_check(
    session: psycopg.Connection[Any], terms: children.Terms, report: Report
) -> None:
    """Check what the workers left, before and after the same is rated again by one process in peace."""
    tracks = {system: track for track, system, _ in session.execute(_TRACKS)}
    wait_until_gone(session, seconds=report.plan.quiet)
    session.execute("ANALYZE")
    report.wrong |= check(session, tracks)
    run_to_end(children.replay, terms, list(tracks.values()))
    again = {system: pk for pk, system, round_ in session.execute(_TRACKS) if round_ == 2}
    for system, track in tracks.items():
        parameters = {"track": track, "again": again.get(system)}
        report.wrong |= _ask(session, AFTER_REPLAY, parameters, prefix=f"{system}: ")


def check(session: psycopg.Connection[Any], tracks: Mapping[str, int]) -> dict[str, int]:
    """Count what is wrong with the sequence and both tracks; empty when nothing is."""
    both = {"instant": tracks["elo"], "period": tracks["glicko"]}
    wrong = _ask(session, WHOLE, both)
    for system, track in tracks.items():
        wrong |= _ask(session, EACH_TRACK, {"track": track}, prefix=f"{system}: ")
    return wrong


def _ask(
    session: psycopg.Connection[Any],
    checks: Mapping[str, str],
    parameters: Mapping[str, Any],
    *,
    prefix: str = "",
) -> dict[str, int]:
    answers = {
        name: session.execute(query, parameters).fetchone() for name, query in checks.items()
    }
    return {prefix + name: int(row[0]) for name, row in answers.items() if row and row[0]}


def _read(notes: Path) -> Counter[str]:
    if not notes.exists():
        return Counter()
    lines = (json.loads(line) for line in notes.read_text().splitlines())
    return Counter(line["what"] for line in lines if line["who"].startswith("rater"))
