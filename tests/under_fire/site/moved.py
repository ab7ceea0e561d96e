"""Backs up, restores and moves a big site, there and back: python -m tests.under_fire.site.moved --matches 1000000

`make_sample` fills a site in a new folder. It is backed up, and restored into another folder; moved to a PostgreSQL and
a Valkey beside it, where it is owned by somebody who is no superuser, as on a server of one's own; started there, and
stopped; and moved back into the folder it came from. Each time every table is counted and hashed as COPY sends it,
which the product does in another way. Ends with 0 when nothing differs.
"""

import argparse
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from config.embedded import paths
from config.embedded.servers import Servers
from tests.house.site import Site, carry_out
from tests.under_fire.site.contents import Rows, differences, read_contents

LONGEST = 6 * 3600.0  # seconds for one command
PAGES = ("/health/ready", "/ladders/sample/")
_OWNER, _NAME = "owner_of_the_site", "site_of_my_own"


@dataclass
class Report:
    """What came of it. `seconds` by step; `wrong` says what failed."""

    seconds: dict[str, float] = field(default_factory=dict)
    tables: dict[str, Rows] = field(default_factory=dict)
    file: int = 0
    database: int = 0
    wrong: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Note how long it takes, and say so at once."""
        began = time.monotonic()
        yield
        self.seconds[step] = time.monotonic() - began
        sys.stdout.write(f"{step}: {self.seconds[step]:.0f} s\n")
        sys.stdout.flush()

    def compare(self, what: str, before: dict[str, Rows], after: dict[str, Rows]) -> None:
        """Note what differs."""
        self.wrong += [f"{what}: {difference}" for difference in differences(before, after)]


def main() -> int:
    """Read the options, carry it out, say what came of it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.under_fire.site.moved",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--players", type=int, default=100_000, help="of the sample")
    parser.add_argument("--matches", type=int, default=1_000_000, help="of the sample")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # also then nothing is left behind
    folder = Path(tempfile.mkdtemp(prefix="evenmatch-moved-"))
    folder.chmod(0o755)  # a PostgreSQL of another user passes through
    try:
        report = attempt(folder, options.players, options.matches)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write("\n".join(tell(report)) + "\n")
    return int(bool(report.wrong))


def attempt(folder: Path, players: int, matches: int) -> Report:
    """Fill, back up, restore, move there, start, move back."""
    report, data, file = Report(), folder / "data", folder / "site.zip"
    with report.timed("make_sample"):
        size = ["--players", str(players), "--matches", str(matches)]
        carry_out(data, "make_sample", *size, "--quiet", patience=LONGEST)
    report.tables, report.database = _in_folder(data)
    with report.timed("backup"):
        carry_out(data, "backup", str(file), patience=LONGEST)
    report.file = file.stat().st_size
    other = folder / "other"
    with report.timed("restore"):
        carry_out(other, "restore", str(file), patience=LONGEST)
    report.compare("restored", report.tables, _in_folder(other)[0])
    shutil.rmtree(other)
    file.unlink()
    with _servers_of_ones_own(folder / "own") as (database, redis):
        own = {"DATABASE_URL": database, "REDIS_URL": redis}
        with report.timed("move there"):
            there = ["--database", database, "--redis", redis]
            carry_out(data, "move", *there, patience=LONGEST)
        report.compare("moved there", report.tables, _at(database)[0])
        with report.timed("start there"):
            report.wrong += _pages_that_fail(data, own)
        moved = _at(database)[0]  # a site that was up has noted some things
        with report.timed("move back"):
            back = ["--embedded", "--replace"]
            carry_out(data, "move", *back, environ=own, patience=LONGEST)
    report.compare("moved back", moved, _in_folder(data)[0])
    report.wrong += [] if report.tables["ratings_match"].number == matches else ["matches lack"]
    return report


def tell(report: Report) -> Iterator[str]:
    """The table of docs/results/restored.md, and what is wrong."""
    rows = sum(table.number for table in report.tables.values())
    yield "| | |"
    yield "|---|---|"
    yield f"| tables, rows | {len(report.tables)}, {rows:,} |"
    yield f"| size of the database | {report.database / 1e6:,.0f} MB |"
    yield f"| size of the backup | {report.file / 1e6:,.0f} MB |"
    for step, seconds in report.seconds.items():
        yield f"| {step} | {seconds / 60:.1f} min |"
    yield ""
    yield "Wrong: " + ("; ".join(report.wrong) or "nothing")


def _in_folder(data: Path) -> tuple[dict[str, Rows], int]:
    """The contents of the PostgreSQL of a data folder, and their size in bytes."""
    with Servers(data, valkey=False).in_use():
        return _at(paths.database_url(data))


def _at(url: str) -> tuple[dict[str, Rows], int]:
    with psycopg.connect(url) as session:
        size = session.execute("SELECT pg_database_size(current_database())").fetchone()
        return read_contents(session), size[0] if size else 0


@contextmanager
def _servers_of_ones_own(data: Path) -> Iterator[tuple[str, str]]:
    """Addresses of an empty database as docs/installing.md has it made, and of a Valkey."""
    with Servers(data).in_use():
        url = paths.database_url(data)
        with psycopg.connect(url, autocommit=True) as session:
            session.execute(f"CREATE ROLE {_OWNER} LOGIN")
            session.execute(
                f"CREATE DATABASE {_NAME} OWNER {_OWNER} ENCODING 'UTF8' TEMPLATE template0"
            )
        yield (
            url.replace("//evenmatch@", f"//{_OWNER}@").rpartition("/")[0] + f"/{_NAME}",
            paths.redis_url(data),
        )


def _pages_that_fail(data: Path, own: dict[str, str]) -> Iterator[str]:
    site = Site(data, environ=own)
    try:
        site.wait_until_up()
        yield from (f"{path} fails there" for path in PAGES if not site.is_well(path))
    finally:
        site.close()


if __name__ == "__main__":
    sys.exit(main())
