"""One trial: players play on a site that `bin/run` started, its servers are attacked, and what is left is counted."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from api.auth.issue import issue_key
from api.auth.scopes import SERVER_SCOPES
from config.embedded import paths
from config.embedded.processes import wait_until
from demo.league import GAME
from demo.play.crowd import load_roster, open_queues
from demo.season.season import make_season
from ratings.models import Game
from tests.under_fire.servers.checks import CHECKS, load_kept
from tests.under_fire.servers.going_on import LONGEST, SIGNS, seconds_until_play
from tests.under_fire.servers.listener import Listener
from tests.under_fire.servers.players import Kept, Players

__all__ = ["GOES_ON_WITHIN", "Blow", "Report", "attack"]

GOES_ON_WITHIN = 10.0  # seconds after the server is back
QUIET = 8.0  # seconds of play before each attack
_RATED_AT_ONCE = "demo-blitz"
_PLAYERS, _MATCHES = 120, 1000
_RATED = f"""
SELECT ({CHECKS["confirmed matches without a place"]}) + ({CHECKS["never rated, where ratings follow each match"]})
"""
_COUNTS = """
SELECT 'tickets', count(*) FROM matchmaking_ticket UNION ALL
SELECT 'offers ' || state, count(*) FROM matchmaking_offer GROUP BY state UNION ALL
SELECT 'matches ' || match.state, count(*) FROM ratings_match AS match
    JOIN matchmaking_offer AS offer ON offer.match_id = match.id GROUP BY match.state UNION ALL
SELECT 'reports', count(*) FROM ratings_report
"""


@dataclass(frozen=True)
class Blow:
    """One attack: seconds from its beginning until the server was back, and from then until each sign of play."""

    name: str
    away: float
    waits: Mapping[str, float]


@dataclass
class Report:
    """What came of it. `wrong` maps each check that failed to what it counted."""

    blows: list[Blow] = field(default_factory=list)
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    kept: Counter[str] = field(default_factory=Counter)
    events: int = 0
    streams: int = 0
    wrong: dict[str, int] = field(default_factory=dict)


def attack(
    data: Path,
    url: str,
    attacks: Sequence[tuple[str, Callable[[Path], None]]],
    *,
    seed: int,
    on_blow: Callable[[Blow], None],
) -> Report:
    """Play on the site whose servers are in this data folder, attack it, let it come to rest, and count.

    attacks  names, and what to do; each returns once what it attacked is back
    """
    began, report = time.monotonic(), Report()
    make_season(players=_PLAYERS, matches=_MATCHES, days=20.0, seed=seed)
    key = _make_key()
    players, listener = Players(url, key, load_roster(), _queues(), seed), Listener(url, key)
    with _at_play(players, listener):
        _await_play(data, listener)
        for name, strike in attacks:
            time.sleep(QUIET)
            began_at = time.monotonic()
            strike(data)
            away = time.monotonic() - began_at
            waits = seconds_until_play(paths.database_url(data), listener)
            report.blows.append(Blow(name, away, waits))
            on_blow(report.blows[-1])
            players.check()
    report.events, report.streams = listener.events, listener.opened
    _count(data, players.kept, report)
    report.seconds = time.monotonic() - began
    return report


@contextmanager
def _at_play(players: Players, listener: Listener) -> Iterator[None]:
    """Players play and the stream is heard in the block. Whatever ends it, nobody asks on where the site was then."""
    players.start()
    listener.start()
    try:
        yield
    finally:
        players.leave()
        listener.end()
    players.go_home()


def _make_key() -> str:
    game = Game.objects.get(slug=GAME)
    scopes = [scope.value for scope in SERVER_SCOPES]
    return issue_key(game=game, name="Under fire", scopes=scopes)[1]


def _queues() -> dict[str, float]:
    """The league's queues; most play where ratings follow each match, so that there are always some to follow."""
    return dict.fromkeys(open_queues(), 0.2) | {_RATED_AT_ONCE: 1.0}


def _await_play(data: Path, listener: Listener) -> None:
    waits = seconds_until_play(paths.database_url(data), listener)
    if missing := set(SIGNS) - set(waits):
        raise RuntimeError(f"nobody was hurt, and yet within {LONGEST:.0f} s no {missing}")


def _count(data: Path, kept: list[Kept], report: Report) -> None:
    with psycopg.connect(paths.database_url(data), autocommit=True) as session:
        if not wait_until(lambda: _ask(session, _RATED) == 0, seconds=LONGEST):
            report.wrong["it did not come to rest"] = 1
        load_kept(session, kept)
        report.kept = Counter(str(row["what"]) for row in kept)
        report.counts = dict(session.execute(_COUNTS).fetchall())
        found = {name: _ask(session, query) for name, query in CHECKS.items()}
        report.wrong |= {name: number for name, number in found.items() if number}
    late = [blow for blow in report.blows if _is_late(blow)]
    report.wrong |= {f"late: {blow.name}": 1 for blow in late}


def _is_late(blow: Blow) -> bool:
    return any(blow.waits.get(sign, LONGEST) > GOES_ON_WITHIN for sign in SIGNS)


def _ask(session: psycopg.Connection[Any], query: str) -> int:
    row = session.execute(query).fetchone()
    return int(row[0]) if row else -1
