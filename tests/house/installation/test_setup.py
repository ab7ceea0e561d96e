"""The installer, on machines that lack something."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded.paths import PROJECT
from tests.house.site import environment

OLD = '#!/bin/sh\nif [ "$1" = --version ]; then echo "Python 3.6.15"; else exit 1; fi\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The commands and what they install from, without .venv."""
    return check_out(tmp_path / "a checkout")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another, with a .venv that it made, in which nothing was to be installed."""
    place = check_out(tmp_path_factory.mktemp("installed") / "a checkout")
    (place / "requirements.txt").write_text("")
    assert "Installing…" in start(place, "bench").stderr
    assert (place / ".venv" / "requirements.txt.installed").exists()
    return place


def check_out(place: Path) -> Path:
    shutil.copytree(PROJECT / "bin", place / "bin", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("requirements.txt", "requirements-dev.txt"):
        shutil.copy(PROJECT / name, place)
    return place


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A PATH with what every Unix has, and no Python."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("sh", "dirname", "basename"):
        (folder / name).symlink_to(shutil.which(name) or name)
    return folder


def start(checkout: Path, command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(checkout / "bin" / command)],
        env=environment(**environ),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", ["run", "test", "bench"])
def test_no_python(checkout: Path, tools: Path, command: str) -> None:
    done = start(checkout, command, PATH=str(tools))
    assert done.stderr == "Evenmatch needs Python 3.11 or newer, found no Python at all.\n"
    assert done.returncode == 1


def test_an_old_python(checkout: Path, tools: Path) -> None:
    (tools / "python3").write_text(OLD)
    (tools / "python3").chmod(0o755)
    done = start(checkout, "run", PATH=str(tools))
    assert done.stderr == "Evenmatch needs Python 3.11 or newer, found Python 3.6.15.\n"
    assert done.returncode == 1


def test_a_newer_python_beside_an_old_one_is_used(checkout: Path, tools: Path) -> None:
    """It gets as far as the environment, which cannot be made without ensurepip (as on Debian)."""
    (tools / "python3").write_text(OLD)
    (tools / "python3").chmod(0o755)
    (tools / "python3.11").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tools / "python3.11").chmod(0o755)
    (tools / "ensurepip.py").write_text("raise ImportError('left out by the distribution')\n")
    done = start(checkout, "run", PATH=str(tools), PYTHONPATH=str(tools))
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert done.stderr == (
        "This Python cannot make virtual environments: python3-venv is missing. "
        f"Install it (apt install python{version}-venv), or install uv.\n"
    )
    assert done.returncode == 1
    assert not (checkout / ".venv").exists()


@pytest.mark.full
def test_a_wrong_hash_is_refused(installed: Path) -> None:
    """Nothing unknown is installed, nothing is noted as installed, the reason is shown."""
    package = installed / "package-1.0.tar.gz"
    package.write_bytes(b"not what was promised")
    wrong = f"package @ {package.as_uri().replace(' ', '%20')} --hash=sha256:{'0' * 64}\n"
    (installed / "requirements.txt").write_text(wrong)
    stamp = installed / ".venv" / "requirements.txt.installed"
    before = stamp.read_text()
    done = start(installed, "bench")
    assert done.returncode == 1
    assert "Installing failed" in done.stderr
    assert "hash" in done.stderr.lower()
    assert "Traceback" not in done.stderr
    assert stamp.read_text() == before


def test_a_checkout_that_cannot_be_written(checkout: Path) -> None:
    (checkout / ".venv").write_text("a file in the way\n")
    done = start(checkout, "run")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert os.fspath(checkout / ".venv") in done.stderr


def test_what_is_installed_is_not_installed_again(installed: Path) -> None:
    """A stamp with the digest of the file is enough: no installer is on this PATH."""
    (installed / "requirements.txt").write_text("")
    assert "Installing…" not in start(installed, "bench").stderr
    (installed / "requirements.txt").write_text("# changed\n")
    assert "Installing…" in start(installed, "bench").stderr
