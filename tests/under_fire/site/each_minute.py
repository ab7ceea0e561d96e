"""Backs a site up each minute while it is played on: python -m tests.under_fire.site.each_minute --minutes 10

Runs the real `bin/run` on a folder with a demo season. The demo's simulated players play on it, twelve others in a
hurry, and a game's server sends results with a key. Each minute a backup is written: in turn by the schedule, sealed
(it is taken out of its folder at once, so that the next is due), and by `manage.py backup`, open. Beside each dump
another session takes the same snapshot, and counts and hashes every table as COPY sends it.

Then the site is stopped, and each backup restored into a folder of its own. Ends with 0 when `restore` found all
tables equal to what the dump's snapshot had; so did the other hash; all that the API had acknowledged a second before
the snapshot is there; and what holds of a site at any moment holds.
"""

import argparse
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import django

from config.embedded import paths
from tests.house.site import Site, carry_out

if TYPE_CHECKING:
    from tests.under_fire.site.minutes import Minute, Report

_HEADS = (
    "minute",
    "written",
    "MB",
    "tables, rows",
    "matches, changes, ratings",
    "acknowledged: results, others",
    "restored in",
    "wrong",
)
_COUNTED = ("ratings_match", "ratings_ratingchange", "ratings_rating")


def main() -> int:
    """Read the options, carry it out, say what came of it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.under_fire.site.each_minute",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=int, default=10, help="and as many backups")
    parser.add_argument("--players", type=int, default=120, help="of the demo season")
    parser.add_argument("--matches", type=int, default=2000, help="of the demo season")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # also then nothing is left behind
    folder = Path(tempfile.mkdtemp(prefix="evenmatch-minutes-"))
    folder.chmod(0o755)  # a PostgreSQL of another user passes through
    try:
        return _attempt(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _attempt(folder: Path, options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    data, scheduled, kept, opens = (folder / name for name in ("data", "scheduled", "kept", "key"))
    scheduled.mkdir()
    kept.mkdir(mode=0o711)
    season = ["--players", str(options.players), "--matches", str(options.matches)]
    carry_out(data, "demo_season", *season)
    key = carry_out(data, "add_server_key", "demo", "--name", "Each minute").split()[-1]
    environ = {
        "EVENMATCH_BACKUP_DIR": str(scheduled),
        "EVENMATCH_BACKUP_KEY": carry_out(data, "backup_key", str(opens)).strip(),
        # Not by the time of day: only because there is none.
        "EVENMATCH_BACKUP_AT": f"{datetime.now(UTC) + timedelta(hours=12):%H:%M}",
    }
    os.environ.update(
        EVENMATCH_DATA_DIR=str(data),
        DATABASE_URL=paths.database_url(data),
        REDIS_URL=paths.redis_url(data),
        DJANGO_SETTINGS_MODULE="config.settings.production",
    )
    django.setup()
    logging.disable(logging.INFO)  # else a line a request
    from tests.under_fire.site.minutes import Backups, attempt

    backups = Backups(data, scheduled, kept, opens)
    backups.hold_back()
    site = Site(data, environ=environ)
    try:
        report = attempt(site.wait_until_up(), key, backups, options.minutes)
    finally:
        site.close()
    sys.stdout.write("\n".join(_tell(report)) + "\n")
    return int(not report.is_well)


def _tell(report: "Report") -> Iterator[str]:
    """The table of docs/results/restored.md, and what is wrong."""
    yield f"| {' | '.join(_HEADS)} |"
    yield "|---" * len(_HEADS) + "|"
    yield from map(_row, report.minutes)
    yield ""
    yield f"Acknowledged in all: {report.results:,} results, {report.others:,} others."
    for one in report.minutes:
        yield from (f"Minute {one.number}: {what}" for what in one.wrong)
    yield "Wrong: " + ("nothing" if report.is_well else "; ".join(report.wrong) or "see above")


def _row(one: "Minute") -> str:
    tables = one.sight.tables
    rows = sum(table.number for table in tables.values())
    how = "by the schedule, sealed" if one.wrote is None else f"by hand, in {one.wrote:.1f} s"
    cells = (
        str(one.number),
        how,
        f"{one.file.stat().st_size / 1e6:.2f}",
        f"{len(tables)}, {rows:,}",
        ", ".join(f"{tables[name].number:,}" for name in _COUNTED),
        ", ".join(f"{number:,}" for number in one.sight.acknowledged),
        f"{one.restored:.1f} s",
        str(len(one.wrong)),
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
