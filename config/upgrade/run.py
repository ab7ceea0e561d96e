"""`bin/upgrade` from its first line to its last.

The old release writes the backup and fetches the new one; the new one, which is started for it, does the rest. All of
it happens while the site runs: what migrations change, the release before can live with (decision 47). So whatever
fails leaves a site that goes on, and the way back is the old release on the new tables.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from config.embedded import paths
from config.embedded.commands import manage_command
from config.embedded.paths import PROJECT, StartError
from config.embedded.servers import Servers
from config.launcher import steps
from config.launcher.console import say, step
from config.release import VERSION
from config.settings.environment import check_settings
from config.settings.settings_file import take_settings_file
from config.upgrade.restart import restart

SEALED = ".sealed"


@dataclass(frozen=True)
class Choices:
    """What was asked for, and what the old release hands over to the new one.

    before  version and commit of the old release
    backup  that it has written
    """

    to: str
    data: Path
    restarts: bool
    before: str
    backup: str


def main(arguments: list[str]) -> int:
    """Upgrade; 0 where the site runs the release that is here now, 1 with a line on what to do."""
    as_it_came = dict(os.environ)
    try:
        take_settings_file(os.environ)
        check_settings(os.environ)
        choices = _choices(arguments, os.environ)
        environ = {
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            **os.environ,
            "EVENMATCH_DATA_DIR": str(choices.data),
        }
        before = _find(choices.to) if choices.to else ""
        backup = choices.backup or _back_up(choices.data, environ)
        if choices.to:
            _check_out(choices.to, before)
            _go_on_as_the_new_one(arguments, f"{VERSION} ({before})", backup, as_it_came)
        return _finish(choices, backup, environ)
    except StartError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


def _choices(arguments: list[str], environ: Mapping[str, str]) -> Choices:
    parser = argparse.ArgumentParser(
        prog="bin/upgrade",
        description="Back the site up, take another release, update the tables, and start the site again.",
        epilog="Without --to it takes the release that is here already: unpacked over the old one, or checked out.",
    )
    parser.add_argument("--to", default="", metavar="TAG", help="a release to check out with git")
    parser.add_argument("--data-dir", type=Path, help="as for bin/run")
    parser.add_argument(
        "--no-restart", action="store_true", help="leave it to you to start the site again"
    )
    parser.add_argument("--version", action="version", version=f"Evenmatch {VERSION}")
    for name in ("--before", "--backup"):
        parser.add_argument(name, default="", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    data = given.data_dir.expanduser().absolute() if given.data_dir else paths.data_dir(environ)
    return Choices(
        to="" if given.before else given.to,
        data=data,
        restarts=not given.no_restart,
        before=given.before,
        backup=given.backup,
    )


def _back_up(data: Path, environ: Mapping[str, str]) -> str:
    """Write a backup that no schedule deletes; returns its path."""
    given = environ.get("EVENMATCH_BACKUP_DIR")
    folder = Path(given).expanduser() if given else data / "backups"
    try:
        if not given:  # else it may be a disk that is not there, and nobody wants it written beside
            folder.mkdir(parents=True, exist_ok=True)
        if not folder.is_dir():
            raise StartError(f"There is no folder {folder} for the backup. Nothing was changed.")
    except OSError as error:
        raise StartError(f"Cannot make {folder}: {error.strerror}. Nothing was changed.") from error
    ending = SEALED if environ.get("EVENMATCH_BACKUP_KEY") else ""
    file = folder / f"before-upgrade-{datetime.now(UTC):%Y%m%dT%H%M%S}Z.zip{ending}"
    with step("Backup"):
        steps.manage(["backup", str(file)], environ)
    say(f"  {file}")
    return str(file)


def _find(tag: str) -> str:
    """Fetch the release, and see that it can be checked out; returns the commit that is there now."""
    if not (PROJECT / ".git").exists():
        raise StartError(
            f"{PROJECT} is no clone of git: unpack the release over it, then say bin/upgrade without --to."
        )
    if changed := _git("status", "--porcelain", "--untracked-files=no"):
        raise StartError(
            f"Files of {PROJECT} were changed, the first is {changed.split()[1]}. "
            "Commit or take back what you have changed first (git diff)."
        )
    before = _git("rev-parse", "HEAD")
    with step(f"Fetching {tag}"):
        if _git("remote"):
            _git("fetch", "--quiet", "--tags")
        try:
            _git("rev-parse", "--verify", "--quiet", f"{tag}^{{commit}}")
        except StartError as error:
            raise StartError(f"There is no release {tag}. Nothing was changed.") from error
    return before


def _check_out(tag: str, before: str) -> None:
    """Put the release in the place of the old one."""
    _git("checkout", "--quiet", "--detach", f"{tag}^{{commit}}")
    # Told now: where its packages cannot be installed, the new release does not come to saying it.
    say(f"  The way back: git checkout {before}")


def _git(*words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(PROJECT), *words], capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise StartError(f"git does not run: {error.strerror}. Install it.") from error
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["it says nothing"]
        raise StartError(f"git {words[0]} failed, and nothing was changed: {lines[-1]}")
    return done.stdout.strip()


def _go_on_as_the_new_one(
    arguments: list[str], before: str, backup: str, environ: Mapping[str, str]
) -> None:
    """Become the new release, which installs what it needs."""
    command = [str(PROJECT / "bin" / "upgrade"), *arguments, "--before", before, "--backup", backup]
    os.execve(command[0], command, dict(environ))  # noqa: S606 - no shell is wanted


def _finish(choices: Choices, backup: str, environ: Mapping[str, str]) -> int:
    goes_on = True
    try:
        with Servers.wanted(choices.data, environ).in_use():
            database = environ.get("DATABASE_URL") or paths.database_url(choices.data)
            with step("Updating the tables"):
                steps.manage(["migrate", "--no-input"], environ)
                steps.note_current_tables(choices.data, database)
            if steps.static_files_changed(choices.data):
                with step("Collecting static files"):
                    steps.collect_static(choices.data, environ)
        # The servers are let go before: bin/run stops them, and starts those of this release.
        if choices.restarts:
            goes_on = False
            restart(choices.data)
    except StartError as error:
        untouched = "The site goes on with what ran before. " if goes_on else ""
        raise StartError(f"{error}\n{untouched}{_way_back(choices, backup, environ)}") from error
    came = f" It was {choices.before}." if choices.before else ""
    say(f"This is Evenmatch {VERSION}.{came}")
    return 0


def _way_back(choices: Choices, backup: str, environ: Mapping[str, str]) -> str:
    commit = choices.before.partition("(")[2].rstrip(")")
    lines = ["To go back, take the old release and start it again: it works on these tables."]
    if commit:
        lines.append(f"  git checkout {commit}")
    restore = manage_command(["restore", backup, "--replace"], environ)
    lines.append(f"Should data be lost, stop the site and restore it as it was:\n  {restore}")
    return "\n".join(lines)
