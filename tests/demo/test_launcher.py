"""What `bin/run --demo` chooses: a folder of its own, the mark on every page, the simulated players."""

from pathlib import Path

import pytest

from config.embedded.paths import PROJECT
from config.launcher import run
from config.launcher.children import players
from config.launcher.console import show_welcome
from config.launcher.heartbeats import Heartbeats
from config.launcher.options import read_options


def test_its_folder_is_its_own_whatever_the_environment_says() -> None:
    environ = {"EVENMATCH_DATA_DIR": "/srv/evenmatch"}
    assert read_options(["--demo"], environ).data == PROJECT / "var" / "demo"
    assert read_options([], environ).data == Path("/srv/evenmatch")
    given = read_options(["--demo", "--data-dir", "/srv/trial"], environ)
    assert given.data == Path("/srv/trial")


def test_everything_it_starts_knows_that_it_is_a_demo() -> None:
    assert read_options(["--demo"], {}).environment({})["EVENMATCH_DEMO"] == "1"
    assert "EVENMATCH_DEMO" not in read_options([], {}).environment({})


def test_simulated_players_are_ready_when_they_begin_to_play(tmp_path: Path) -> None:
    sign = tmp_path / "demo-players"
    sign.touch()  # left by an earlier run
    child = players(tmp_path, tmp_path, "http://127.0.0.1:9107")
    assert "http://127.0.0.1:9107" in child.command
    assert not child.answers()
    sign.touch()
    assert child.answers()


def test_without_workers_nobody_plays(tmp_path: Path) -> None:
    options = read_options(["--demo", "--no-workers", "--data-dir", str(tmp_path)], {})
    children = run._children(options, Heartbeats("unix:///nowhere?db=0"), {})
    assert [child.name for child in children] == ["Web"]


def test_the_welcome_names_the_league(capsys: pytest.CaptureFixture[str]) -> None:
    show_welcome(read_options(["--demo"], {}), "http://localhost:8000")
    words = capsys.readouterr().out
    assert "http://localhost:8000/games/demo/\n" in words
    assert "EVENMATCH_DATA_DIR=" in words
    show_welcome(read_options([], {}), "http://localhost:8000")
    assert "/games/demo/" not in capsys.readouterr().out
