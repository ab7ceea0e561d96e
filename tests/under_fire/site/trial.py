"""One trial: every kind of process is killed so many times, in random order, and what came of it is counted."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from config.embedded import paths
from config.embedded.processes import wait_until
from demo.league import GAME
from demo.play.truth import Persona
from ratings.models import Game
from tests.house.site import Site, none_is_left, processes_of
from tests.under_fire.servers.listener import Listener
from tests.under_fire.servers.players import Players
from tests.under_fire.site.kinds import KINDS, LAUNCHER, alive
from tests.under_fire.site.results import Results
from tests.under_fire.site.stored import LONGEST, PLAYED, compare, count
from tests.under_fire.site.visitor import PAGES, Sweeps, Visitor

__all__ = ["ANSWERS_WITHIN", "Kill", "Plan", "Report", "attempt"]

ANSWERS_WITHIN = 10.0  # seconds after the kill; after the new start, where it was the launcher
MATCHES_WITHIN = 180.0  # seconds after the first start
ENDED = "does nothing; ending it."  # what the watchdog says
_PLAYERS = 12


@dataclass(frozen=True)
class Plan:
    """What to do: so many kills of each of these kinds, drawn from a seed, with a rest of some seconds between two.

    One that is patient does not judge how long anything took.
    """

    kills: int
    kinds: Sequence[str]
    seed: int
    rest: tuple[float, float] = (1.0, 3.0)
    patient: bool = False


@dataclass(frozen=True)
class Kill:
    """One kill: seconds until the site answers, the process is there again, and a queue is swept. None: never."""

    kind: str
    answers: float | None
    back: float | None
    sweep: float | None


@dataclass
class Report:
    """What came of it. `wrong` maps each check that failed to what it counted."""

    up: float = 0.0
    first_match: float | None = None
    kills: list[Kill] = field(default_factory=list)
    seconds: float = 0.0
    matches: int = 0
    results: int = 0
    events: int = 0
    ended_by_watchdog: int = 0
    kept: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, int] = field(default_factory=dict)


def attempt(site: Site, began: float, plan: Plan, *, on_kill: Callable[[Kill], None]) -> Report:
    """Play on the site that was started at `began`, kill its processes, stop it, and report."""
    report, database = Report(up=time.monotonic() - began), paths.database_url(site.data)
    before = count(database, PLAYED)
    if wait_until(lambda: count(database, PLAYED) > before, seconds=MATCHES_WITHIN, every=0.2):
        report.first_match = time.monotonic() - began
    url, key, name = f"http://127.0.0.1:{site.port}", _make_key(), f"fire{os.getpid()}"
    cast = {f"{name}-p{n}": Persona.of_a(f"{name}-p{n}") for n in range(_PLAYERS)}
    players = Players(url, key, cast, {"demo-blitz": 1.0, "demo-duel": 0.5}, plan.seed)
    results, listener = Results(url, key, list(cast)), Listener(url, key)
    visitors, sweeps = [Visitor(url, path) for path in PAGES], Sweeps(database)
    results.introduce()
    players.start()
    rest: list[Results | Listener | Sweeps | Visitor] = [results, listener, sweeps, *visitors]
    for one in rest:
        one.start()
    for kind in _shuffled(plan):
        time.sleep(random.Random(f"{plan.seed}{len(report.kills)}").uniform(*plan.rest))
        report.kills.append(_strike(site, kind, visitors, sweeps, plan))
        on_kill(report.kills[-1])
    if not plan.kills:
        time.sleep(max(0.0, began + MATCHES_WITHIN - time.monotonic()))
    players.go_home()
    for other in rest:
        other.end()
    report.events, report.results = listener.events, len(results.told)
    report.kept = Counter(str(row["what"]) for row in players.kept)
    report.matches = count(database, PLAYED)
    report.wrong |= compare(database, players.kept, [results])
    _stop(site, plan, report)
    report.seconds = time.monotonic() - began
    return report


def _stop(site: Site, plan: Plan, report: Report) -> None:
    """Stop the site, and see what is wrong with how it went and how it ended."""
    report.ended_by_watchdog = site.output().count(ENDED)
    wrong = {f"late: {kill.kind}": 1 for kill in report.kills if _is_late(kill, plan)}
    in_time = report.first_match is not None and (
        plan.patient or report.first_match < MATCHES_WITHIN
    )
    wrong |= {
        "no match in time": int(not in_time),
        "ended by the watchdog": report.ended_by_watchdog,
        "bin/run had ended by itself": int(site.ended()),
        "status of bin/run": site.stop(signal.SIGINT),
        "processes left over": 0 if none_is_left(site.data) else len(processes_of(site.data)),
    }
    report.wrong = {what: number for what, number in (report.wrong | wrong).items() if number}


def _make_key() -> str:
    game = Game.objects.get(slug=GAME)
    scopes = [scope.value for scope in SERVER_SCOPES]
    return issue_key(game=game, name=f"Under fire {os.getpid()}", scopes=scopes)[1]


def _shuffled(plan: Plan) -> list[str]:
    kinds = list(plan.kinds) * plan.kills
    random.Random(plan.seed).shuffle(kinds)
    return kinds


def _strike(site: Site, kind: str, visitors: Sequence[Visitor], sweeps: Sweeps, plan: Plan) -> Kill:
    """Kill one process of this kind; wait until all is as before, or for as long as anybody waits."""
    dice = random.Random(f"{plan.seed}{kind}{time.monotonic()}")
    find = KINDS[kind]
    if not wait_until(lambda: bool(find(site)), seconds=LONGEST):
        return Kill(kind, None, None, None)
    before = list(find(site))
    victim = dice.choice(before)
    at = time.monotonic()
    os.kill(victim, signal.SIGKILL)
    if kind == LAUNCHER:
        site.process.wait()
        at = time.monotonic()
        site.start()
    seen: dict[str, float] = {}

    def all_is_well() -> bool:
        now = list(find(site))
        is_back = victim not in alive(before) and len(now) >= len(before) and site.is_up()
        if is_back and victim not in now:
            seen.setdefault("back", time.monotonic() - at)
        waits = [visitor.answered_after(at) for visitor in visitors]
        return (
            "back" in seen
            and all(wait is not None and wait + at < time.monotonic() - 0.5 for wait in waits)
            and sweeps.wait_after(at) is not None
        )

    wait_until(all_is_well, seconds=LONGEST)
    waits = [visitor.answered_after(at) for visitor in visitors]
    answers = None if None in waits else max(wait for wait in waits if wait is not None)
    return Kill(kind, answers, seen.get("back"), sweeps.wait_after(at))


def _is_late(kill: Kill, plan: Plan) -> bool:
    if kill.answers is None or kill.back is None:
        return True
    return not plan.patient and kill.answers > ANSWERS_WITHIN
