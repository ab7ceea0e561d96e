"""Clones of this project at one commit or another, each with the packages that it asks for."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from config.embedded.paths import PROJECT
from tests.house.site import PATIENCE, environment

__all__ = ["Release", "commit_of"]


def commit_of(name: str) -> str:
    """The whole name of a commit of this project. Raises RuntimeError where there is no such."""
    return _run(["git", "-C", str(PROJECT), "rev-parse", "--verify", f"{name}^{{commit}}"])


class Release:
    """A clone of the project in a folder of its own, ready to be run.

    `packages` is the .venv of another clone at this commit, to be used and not changed; else it installs its own.
    """

    def __init__(self, folder: Path, commit: str, packages: Path | None = None) -> None:
        self.folder = folder
        _run(["git", "clone", "--quiet", "--shared", "--no-checkout", str(PROJECT), str(folder)])
        self.check_out(commit)
        requirements = "requirements.txt"
        if (folder / requirements).read_bytes() == (PROJECT / requirements).read_bytes():
            packages = Path(sys.prefix)
        if packages is not None:
            (folder / ".venv").symlink_to(packages, target_is_directory=True)
        self.run("bin/run", "--help")  # which installs

    def check_out(self, commit: str) -> None:
        """Take another commit."""
        _run(["git", "-C", str(self.folder), "checkout", "--quiet", "--detach", commit])

    def version(self) -> str:
        """What the site says of itself at /health/live."""
        return self.run("bin/run", "--version").removeprefix("Evenmatch ")

    def program(self, name: str) -> str:
        """One of the programs that it has installed."""
        return str(self.folder / ".venv" / "bin" / name)

    def run(self, command: str, *words: str, environ: Mapping[str, str] | None = None) -> str:
        """Run one of its commands in `bin`; gives what it said. Raises RuntimeError where it fails."""
        return _run([str(self.folder / command), *words], environ, self.folder)

    def manage(self, *words: str, environ: Mapping[str, str]) -> str:
        """Run a management command; gives what it said. Raises RuntimeError where it fails."""
        command = [self.program("python"), str(self.folder / "manage.py"), *words]
        return _run(command, environ, self.folder)


def _run(
    command: list[str], environ: Mapping[str, str] | None = None, folder: Path = PROJECT
) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(**(environ or {})),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,  # packages are installed, perhaps on a busy machine
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout.strip()
