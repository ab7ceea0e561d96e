"""Backups of a site that is played on, a minute from one to the next, and what came out of each of them elsewhere."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from config.backup.encryption import SEALED, unseal
from config.embedded import paths
from config.embedded.paths import PROJECT
from config.embedded.processes import wait_until
from config.embedded.servers import Servers
from demo.play.truth import Persona
from tests.house.site import PATIENCE, Site, carry_out, environment, none_is_left
from tests.under_fire.servers.checks import AT_ANY_TIME, load_kept
from tests.under_fire.servers.players import Kept, Players
from tests.under_fire.site.contents import differences, read_contents
from tests.under_fire.site.results import Results
from tests.under_fire.site.witness import Sight, Witness

__all__ = ["Backups", "Minute", "Report", "attempt"]

_PLAYERS = 12
_WARM = 60  # acknowledgements after which the first backup is written
_MINUTE = 60.0
_FOUND = "SELECT count(DISTINCT external_id) FROM ratings_match WHERE external_id = ANY(%s)"
_RESULTS, _OTHERS = "results acknowledged, and lost", "no results were acknowledged"


class Acknowledged(NamedTuple):
    """How many of each had been acknowledged by some moment."""

    results: int
    others: int


@dataclass
class Minute:
    """One backup: how it was written, what had been acknowledged before, and what came of restoring it.

    wrote     seconds of `manage.py backup`; None by the schedule, which says no more than that it is there
    restored  seconds of `manage.py restore`
    """

    number: int
    file: Path
    is_sealed: bool
    sight: Sight[Acknowledged]
    wrote: float | None
    restored: float = 0.0
    wrong: list[str] = field(default_factory=list)


@dataclass
class Report:
    """What came of it. `wrong` says what failed beside single minutes."""

    minutes: list[Minute] = field(default_factory=list)
    results: int = 0
    others: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def is_well(self) -> bool:
        """Whether nothing failed at all, and something was tried."""
        all_are = bool(self.minutes) and not any(one.wrong for one in self.minutes)
        return all_are and not self.wrong


@dataclass(frozen=True)
class Backups:
    """Where the site of a trial writes its backups, and where they are taken to.

    scheduled  the folder of the site's own, which are sealed
    kept       where each is moved as soon as it is there
    key        the file that opens the sealed ones
    """

    data: Path
    scheduled: Path
    kept: Path
    key: Path

    def hold_back(self) -> None:
        """Leave an empty one in the folder, so that none is due."""
        (self.scheduled / f"evenmatch-{datetime.now(UTC):%Y%m%dT%H%M%S}Z.zip").touch()

    def by_schedule(self, number: int) -> Path:
        """Take away what there is: at its next look a worker finds that one is due."""
        for old in self.scheduled.glob("evenmatch-*"):
            old.unlink()

        def written() -> list[Path]:
            return list(self.scheduled.glob(f"evenmatch-*{SEALED}"))

        if not wait_until(lambda: bool(written()), seconds=_MINUTE + PATIENCE, every=0.1):
            raise RuntimeError("no worker wrote a backup")
        (file,) = written()
        self.hold_back()
        return file.rename(self.kept / f"{number}.zip{SEALED}")

    def by_hand(self, number: int) -> Path:
        """Write one as an operator does."""
        file = self.kept / f"{number}.zip"
        carry_out(self.data, "backup", str(file))
        return file


def attempt(site: Site, key: str, backups: Backups, minutes: int) -> Report:
    """Play, back up each minute in turn by the schedule and by hand, stop, and restore each of them elsewhere."""
    report, url = Report(), f"http://127.0.0.1:{site.port}"
    name = f"fire{os.getpid()}"
    cast = {f"{name}-p{n}": Persona.of_a(f"{name}-p{n}") for n in range(_PLAYERS)}
    players = Players(url, key, cast, {"demo-blitz": 1.0, "demo-duel": 0.5}, seed=1)
    results = Results(url, key, list(cast))
    witness = Witness(
        paths.database_url(site.data),
        lambda: Acknowledged(len(results.told), len(players.kept)),
    )
    with _demo_play(site.data, url):
        results.introduce()
        for thread in (players, results, witness):
            thread.start()
        wait_until(lambda: len(players.kept) > _WARM, seconds=PATIENCE)
        began = time.monotonic()
        for number in range(minutes):
            time.sleep(max(0.0, began + number * _MINUTE - time.monotonic()))
            report.minutes.append(_write_one(number, backups, witness))
        players.go_home()
        results.end()
    witness.end()
    report.results, report.others = len(results.told), len(players.kept)
    with psycopg.connect(paths.database_url(site.data), autocommit=True) as session:
        report.wrong += _told(results.wrongs(session))
    if code := site.stop(signal.SIGINT):
        report.wrong.append(f"bin/run ended with {code}")
    if not none_is_left(site.data):
        report.wrong.append("processes were left over")
    for one in report.minutes:
        _restore_one(one, backups, results.told, players.kept)
    return report


def _write_one(number: int, backups: Backups, witness: Witness[Acknowledged]) -> Minute:
    is_scheduled, began = number % 2 == 0, time.monotonic()
    file = backups.by_schedule(number) if is_scheduled else backups.by_hand(number)
    wrote = None if is_scheduled else time.monotonic() - began
    return Minute(number + 1, file, is_scheduled, witness.next(PATIENCE), wrote)


def _restore_one(one: Minute, backups: Backups, told: Sequence[str], kept: Sequence[Kept]) -> None:
    """Restore it into a folder of its own, and ask there for what had to be in it."""
    place, before = backups.kept / f"site-{one.number}", one.sight.tables
    began = time.monotonic()
    opens = ["--key", str(backups.key)] if one.is_sealed else []
    said = carry_out(place, "restore", str(one.file), *opens)
    one.restored = time.monotonic() - began
    if f"Checked: {len(before)} tables equal" not in said:
        one.wrong.append(f"restore said: {said.strip()}")
    one.wrong += _unlike_manifest(one, backups)
    with (
        Servers(place, valkey=False).in_use(),
        psycopg.connect(paths.database_url(place), autocommit=True) as session,
    ):
        one.wrong += differences(before, read_contents(session))
        results, others = one.sight.acknowledged
        found = session.execute(_FOUND, [told[:results]]).fetchone()
        lost = {_RESULTS: results - (found[0] if found else 0), _OTHERS: int(not results)}
        load_kept(session, kept[:others])
        one.wrong += _told(lost | {name: _ask(session, sql) for name, sql in AT_ANY_TIME.items()})
    shutil.rmtree(place)


def _unlike_manifest(one: Minute, backups: Backups) -> Iterator[str]:
    """Tables of which the backup itself says another number of rows than its snapshot had."""
    plain = one.file
    if one.is_sealed:
        plain = backups.kept / "opened.zip"
        unseal(one.file, plain, backups.key)
    with zipfile.ZipFile(plain) as archive:
        listed = json.loads(archive.read("manifest.json"))["tables"]
    if one.is_sealed:
        plain.unlink()
    said = {name: table["rows"] for name, table in listed.items()}
    if said != {name: rows.number for name, rows in one.sight.tables.items()}:
        yield "the manifest has other numbers of rows than the snapshot had"


@contextmanager
def _demo_play(data: Path, url: str) -> Iterator[None]:
    """The simulated players of the demo, online meanwhile, as under `bin/run --demo`."""
    command = [sys.executable, str(PROJECT / "manage.py"), "demo_play", "--url", url]
    with (data / "demo-play.log").open("w") as log:
        play = subprocess.Popen(
            command, env=environment(EVENMATCH_DATA_DIR=str(data)), stdout=log, stderr=log
        )
        try:
            yield
            if play.poll() is not None:
                raise RuntimeError((data / "demo-play.log").read_text())
        finally:
            play.terminate()
            play.wait(PATIENCE)


def _told(found: Mapping[str, int]) -> list[str]:
    return [f"{name}: {number}" for name, number in found.items() if number]


def _ask(session: psycopg.Connection[Any], query: str) -> int:
    row = session.execute(query).fetchone()
    return int(row[0]) if row else -1
