"""`bin/run --demo` from nothing: a league that is alive, and goes on while its processes are killed.

The tests of this file share one site and follow one another; bin/test keeps a file together.
"""

import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config.embedded.paths import PROJECT, database_url
from config.embedded.processes import wait_until
from tests.house.site import PATIENCE, environment, none_is_left
from tests.under_fire.site.__main__ import UP

pytestmark = pytest.mark.full
# With the last one it is started a second time.
KINDS = ("PostgreSQL", "Web, a process", "Worker for matchmaking, main", "bin/run itself")
COUNT = """
SELECT (SELECT count(*) FROM ratings_player), (SELECT count(*) FROM ratings_match WHERE state = 'confirmed'),
       (SELECT count(*) FROM matchmaking_ticket)
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def trial(data: Path) -> Iterator[subprocess.Popen[str]]:
    """The trial of docs/results/killed-processes.md, in short, which begins when its standard input ends."""
    command = [sys.executable, "-m", "tests.under_fire.site", "--data-dir", str(data)]
    with subprocess.Popen(
        [*command, "--wait", "--patient", "--kills", "1", "--kinds", *KINDS],
        cwd=PROJECT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as trial:
        yield trial
        trial.terminate()
        trial.wait(PATIENCE)


@pytest.fixture(scope="module")
def url(trial: subprocess.Popen[str]) -> str:
    """Where the site is, once it is up."""
    said = []
    for line in trial.stdout or ():
        if line.startswith(UP):
            return line.removeprefix(UP).strip()
        said.append(line)
    pytest.fail("".join(said))


def count(data: Path) -> tuple[int, int, int]:
    """Players, confirmed matches, and searches."""
    with psycopg.connect(database_url(data)) as session:
        players, confirmed, searches = session.execute(COUNT).fetchone() or (0, 0, 0)
    return players, confirmed, searches


def test_it_shows_a_league_in_the_middle_of_its_season(url: str) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for path in ("/", "/games/demo/", "/ladders/demo-duel/", "/ladders/demo-blitz/", "/play/"):
        with direct.open(f"{url}{path}", timeout=PATIENCE) as answer:
            words = answer.read().decode()
        assert "The players and matches here are simulated." in words, path


@pytest.mark.usefixtures("url")
def test_the_players_search(data: Path) -> None:
    """How their matches go on is seen while processes are killed."""
    players, confirmed, searches = count(data)
    assert players == 342  # of the league, and of the shooter
    assert confirmed >= 10_000
    assert wait_until(lambda: count(data)[2] > searches, seconds=PATIENCE, every=0.5)


@pytest.mark.usefixtures("url")
def test_it_goes_on_while_its_processes_are_killed(
    trial: subprocess.Popen[str], data: Path
) -> None:
    """Matches are made and end, nothing is lost, and the season is not made again; it stops without a trace."""
    said, _ = trial.communicate(timeout=2 * PATIENCE)
    assert trial.returncode == 0, said
    assert "Wrong: nothing\n" in said
    assert "4 kills." in said
    assert "results 0." not in said
    assert said.count("Season of the demo…") == 1
    assert said.count("Simulated players…") == 2
    assert none_is_left(data)
    assert "Traceback" not in (data / "log" / "players.log").read_text()
