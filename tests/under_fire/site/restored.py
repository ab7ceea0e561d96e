"""Backs a site up, wipes it, restores it into a younger cluster: python -m tests.under_fire.site.restored

Runs the real `bin/run` on a folder with a demo season, whose PostgreSQL has seen many transactions; writes a backup
while the site runs and rates results; deletes the whole folder; restores the file into a new cluster; and starts
`bin/run` on it again. Ratings and ledger are compared by hash: before, after restoring, and once the site is up.
Then one result is sent, with the key from before. Ends with 0 when nothing differs and within five seconds the result
was accepted, rated, followed by the leaderboard (a subscriber of the outbox) and told in a stream that was open.

  into a PostgreSQL of another major version, installed on this machine:  --major 15
"""

import argparse
import json
import shutil
import signal
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import psycopg

from config.embedded import binaries, paths, postgres
from config.embedded.processes import wait_until
from config.embedded.servers import Servers
from tests.house.site import PATIENCE, Site, carry_out
from tests.under_fire.servers.listener import Listener

WITHIN = 5.0  # seconds from the result to the last who is told
LADDER = "demo-blitz"
KEPT = ("ratings_rating", "ratings_ratingchange", "ratings_match", "ratings_participant")
_AGES = 20_000  # transactions by which the first cluster is older at least
_HASH = "SELECT count(*), md5(string_agg(row::text, E'\\n' ORDER BY row::text)) FROM {} AS row"
_SESSION = "SET TimeZone = 'UTC'; SET extra_float_digits = 1"
_AGE = "SELECT pg_current_xact_id()::text::bigint"
_RATED = """
SELECT count(*) FROM ratings_ratingchange AS change
JOIN ratings_ratingtrack AS track ON track.id = change.track_id AND track.shown
JOIN ratings_match AS match ON match.id = change.match_id WHERE match.external_id = %s
"""
_UNRATED = """
SELECT count(*) FROM ratings_match AS match WHERE match.state = 'confirmed' AND match.ladder_seq IS NULL
   OR match.external_id LIKE 'restored-%' AND NOT EXISTS (
       SELECT FROM ratings_ratingchange AS change WHERE change.match_id = match.id)
"""
_REVISION = "SELECT coalesce(sum(revision), 0) FROM leaderboards_board"
_UNDELIVERED = """
SELECT count(*) FROM events_event AS event, events_subscription AS place
WHERE (event.transaction, event.id) > (place.transaction, place.event_id)
"""
_PLAYERS = """
SELECT array_agg(external_id) FROM (
    SELECT player.external_id FROM ratings_player AS player JOIN ratings_game AS game ON game.id = player.game_id
    WHERE game.slug = 'demo' ORDER BY player.id LIMIT 2) AS two
"""


class Ears(Listener):
    """A stream that notes when it heard of what."""

    def __init__(self, url: str, key: str) -> None:
        super().__init__(url, key)
        self.heard: dict[str, float] = {}

    def _note(self, told: dict[str, dict[str, int]]) -> None:
        super()._note(told)
        self.heard.setdefault(str(told.get("kind")), time.monotonic())


@dataclass
class Report:
    """What came of it. `waits` are seconds after the result was sent; `wrong` says what failed."""

    rows: dict[str, int] = field(default_factory=dict)
    ages: tuple[int, int] = (0, 0)
    majors: tuple[int, int] = (0, 0)
    seconds: dict[str, float] = field(default_factory=dict)
    waits: dict[str, float | None] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def main() -> int:
    """Read the options, carry it out, say what came of it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.under_fire.site.restored",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--players", type=int, default=60, help="of the demo season")
    parser.add_argument("--matches", type=int, default=600, help="of the demo season")
    parser.add_argument("--major", type=int, help="of the PostgreSQL that it is restored into")
    parser.add_argument(
        "--patient", action="store_true", help="do not judge how long anything took"
    )
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # also then nothing is left behind
    folder = Path(tempfile.mkdtemp(prefix="evenmatch-restored-"))
    folder.chmod(0o755)  # a PostgreSQL of another user passes through
    try:
        report = attempt(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write("\n".join(tell(report)) + "\n")
    return int(bool(report.wrong))


def attempt(folder: Path, options: argparse.Namespace) -> Report:
    """Play, back up, wipe, restore, play on."""
    report, data, file = Report(), folder / "data", folder / "site.zip"
    with timed(report, "the first site is made"):
        season = ["--players", str(options.players), "--matches", str(options.matches)]
        carry_out(data, "demo_season", *season)
        key = (
            carry_out(data, "add_server_key", "demo", "--name", "Restored").strip().splitlines()[-1]
        )
    site = Site(data).wait_until_up()
    url = paths.database_url(data)
    try:
        _grow_old(url)
        with psycopg.connect(url) as session:
            players = _one(session, _PLAYERS)
        for number in range(20):
            send(site, key, players, f"restored-{number}")
        wait_until(lambda: _is_at_rest(url), seconds=PATIENCE, every=0.2)
        with timed(report, "backup, while the site runs"):
            carry_out(data, "backup", str(file))
        before, report.ages = state_of(url), (age_of(url), 0)
    finally:
        site.stop()
        site.close()
    shutil.rmtree(data)
    with cluster(folder / "other", options.major) as other:
        more = {"DATABASE_URL": other} if other else {}
        with timed(report, "restore"):
            carry_out(data, "restore", str(file), environ=more)
        site = Site(data, environ=more)
        try:
            with timed(report, "start of the restored site"):
                site.wait_until_up()
            url = other or paths.database_url(data)
            report.ages = (report.ages[0], age_of(url))
            after = state_of(url)
            report.rows = {name: rows for name, (rows, _hash) in after.items()}
            report.wrong += [f"{name} differs" for name in KEPT if before[name] != after[name]]
            report.majors = (major_in(file), major_of(url))
            play_on(site, url, key, players, report, patient=options.patient)
        finally:
            site.stop()
            site.close()
    if report.ages[1] >= report.ages[0]:
        report.wrong.append("the other cluster is not younger")
    return report


def play_on(
    site: Site, url: str, key: str, players: list[str], report: Report, *, patient: bool
) -> None:
    """Send one result, and wait for whatever has to follow it."""
    ears = Ears(f"http://127.0.0.1:{site.port}", key)
    ears.start()
    wait_until(lambda: ears.opened > 0, seconds=PATIENCE, every=0.05)
    with psycopg.connect(url, autocommit=True) as session:
        revision = _one(session, _REVISION)
        seen: dict[str, Callable[[], bool]] = {
            "rated": lambda: _one(session, _RATED, "next") == 2,
            "followed by the leaderboard": lambda: _one(session, _REVISION) > revision,
            "all subscribers have all of it": lambda: (
                "rated" in report.waits and _one(session, _UNDELIVERED) == 0
            ),
            "told: match.confirmed": lambda: "match.confirmed" in ears.heard,
            "told: standings.updated": lambda: "standings.updated" in ears.heard,
        }
        began = time.monotonic()
        send(site, key, players, "next")
        report.waits["accepted"] = time.monotonic() - began

        def all_is_told() -> bool:
            for what, is_so in seen.items():
                if what not in report.waits and is_so():
                    report.waits[what] = time.monotonic() - began
            return seen.keys() <= report.waits.keys()

        wait_until(all_is_told, seconds=60, every=0.02)
    ears.end()
    for what in seen:
        wait = report.waits.setdefault(what, None)
        if wait is None or (wait > WITHIN and not patient):
            report.wrong.append(f"{what}: {_seconds(wait)}")


def send(site: Site, key: str, players: list[str], name: str) -> None:
    """Send a result of the first two players, until it is kept."""
    result = {
        "ladder": LADDER,
        "external_id": name,
        "teams": [[player] for player in players],
        "ranks": [0, 1],
        "played_at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
    }
    answer = httpx.post(
        f"http://127.0.0.1:{site.port}/api/v1/results",
        json={"results": [result]},
        headers={"Authorization": f"Bearer {key}"},
        timeout=30.0,
        trust_env=False,
    )
    if not answer.is_success or answer.json()["refused"]:
        raise RuntimeError(answer.text)


@contextmanager
def cluster(data: Path, major: int | None) -> Iterator[str]:
    """The address of an empty cluster of this major version; none: `bin/run` makes its own."""
    if major is None:
        yield ""
        return
    found = (folder for folder in binaries.postgres_folders() if (folder / "initdb").is_file())
    programs = next(folder for folder in found if binaries.postgres_major(folder) == major)
    with (
        mock.patch.object(postgres, "postgres_programs", return_value=programs),
        Servers(data, valkey=False).in_use(),
    ):
        yield paths.database_url(data)


@contextmanager
def timed(report: Report, what: str) -> Iterator[None]:
    """Note how long it takes."""
    began = time.monotonic()
    yield
    report.seconds[what] = time.monotonic() - began


def state_of(url: str) -> dict[str, tuple[int, str]]:
    """Rows and hash of each table that counts."""
    with psycopg.connect(url) as session:
        session.execute(_SESSION)
        found = {name: session.execute(_HASH.format(name)).fetchone() for name in KEPT}
    return {name: (row[0], row[1]) for name, row in found.items() if row is not None}


def age_of(url: str) -> int:
    """How many transactions a cluster has seen."""
    with psycopg.connect(url) as session:
        return int(_one(session, _AGE))


def major_of(url: str) -> int:
    """The major version of the PostgreSQL at an address."""
    with psycopg.connect(url) as session:
        return session.info.server_version // 10_000


def major_in(file: Path) -> int:
    """The major version of the PostgreSQL that a backup is of."""
    with zipfile.ZipFile(file) as archive:
        said = int(json.loads(archive.read("manifest.json"))["postgresql"])
    return said // 10_000 if said > 1000 else said


def tell(report: Report) -> Iterator[str]:
    """Say what was done and what came of it."""
    yield f"From PostgreSQL {report.majors[0]} into {report.majors[1]}."
    yield "Transactions seen: {:,} before, {:,} after restoring.".format(*report.ages)
    equal = ", ".join(f"{rows:,} in {name}" for name, rows in report.rows.items())
    yield f"Compared by hash: {equal}."
    for what, seconds in report.seconds.items():
        yield f"{what}: {seconds:.1f} s"
    yield "After one result was sent to the restored site:"
    for what, wait in report.waits.items():
        yield f"  {what}: {_seconds(wait)}"
    yield "Wrong: " + ("; ".join(report.wrong) or "nothing")


def _seconds(wait: float | None) -> str:
    return "never" if wait is None else f"{wait:.2f} s"


def _grow_old(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as session:
        for _ in range(_AGES):
            session.execute(_AGE)


def _is_at_rest(url: str) -> bool:
    with psycopg.connect(url) as session:
        return not _one(session, _UNRATED) and not _one(session, _UNDELIVERED)


def _one(session: psycopg.Connection[Any], query: str, *given: object) -> Any:
    row = session.execute(query, given or None).fetchone()
    return row[0] if row else None


if __name__ == "__main__":
    sys.exit(main())
