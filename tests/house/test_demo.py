"""`bin/run --demo` from nothing: a league that is alive, and goes on after a second start.

The tests of this file share one data folder and follow one another; bin/test keeps a file together.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config.embedded.paths import PROJECT, database_url
from config.embedded.processes import wait_until
from tests.house.site import PATIENCE, Site, environment, none_is_left

COUNT = """
SELECT (SELECT count(*) FROM ratings_player), (SELECT count(*) FROM ratings_match WHERE state = 'confirmed'),
       (SELECT count(*) FROM matchmaking_ticket)
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def site(data: Path) -> Iterator[Site]:
    site = Site(data, "--demo").wait_until_up()
    yield site
    site.close()


def count(data: Path) -> tuple[int, int, int]:
    """Players, confirmed matches, and searches."""
    with psycopg.connect(database_url(data)) as session:
        players, confirmed, searches = session.execute(COUNT).fetchone() or (0, 0, 0)
    return players, confirmed, searches


def test_it_shows_a_league_in_the_middle_of_its_season(site: Site) -> None:
    assert "Season of the demo…" in site.output()
    assert "Simulated players…" in site.output()
    for path in ("/", "/games/demo/", "/ladders/demo-duel/", "/ladders/demo-blitz/", "/play/"):
        assert "The players and matches here are simulated." in site.page(path), path


def test_the_players_search(site: Site, data: Path) -> None:
    """How their matches go on is waited for once, after the second start."""
    players, confirmed, searches = count(data)
    assert players == 300
    assert confirmed >= 10_000
    assert wait_until(lambda: count(data)[2] > searches, seconds=PATIENCE, every=0.5)


def test_it_stops_without_a_trace(site: Site, data: Path) -> None:
    assert site.stop() == 0
    assert none_is_left(data)
    assert "Traceback" not in (data / "log" / "players.log").read_text()


def test_a_second_start_goes_on_while_its_processes_are_killed(data: Path) -> None:
    """The trial of docs/results/killed-processes.md, in short: matches are made and end, and nothing is lost."""
    kinds = ("PostgreSQL", "Web, a process", "Worker for matchmaking, main", "bin/run itself")
    trial = [sys.executable, "-m", "tests.under_fire.site", "--data-dir", str(data), "--patient"]
    done = subprocess.run(
        [*trial, "--kills", "1", "--kinds", *kinds],
        cwd=PROJECT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Wrong: nothing\n" in done.stdout
    assert "4 kills." in done.stdout
    assert "results 0." not in done.stdout
    assert none_is_left(data)
