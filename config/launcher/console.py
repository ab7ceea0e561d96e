"""What `bin/run` shows: one aligned line a step, then where everything is."""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from config.embedded.commands import manage_command
from config.launcher.options import Options

WIDTH = 28  # as in bin/setup.py


def say(line: str = "") -> None:
    """Print one line at once. Where nobody can read it any more, or the disk is full, it is lost and nothing else."""
    _write(line + "\n")


def say_last(line: str, log: Path) -> None:
    """Say why we end, wherever it can be said: on standard error, and in a log for whoever comes later."""
    with suppress(OSError, ValueError):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
    with suppress(OSError), log.open("a", encoding="utf-8") as stream:
        stream.write(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} [{os.getpid()}] {line}\n")


def _write(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stdout.write(text)
        sys.stdout.flush()


@contextmanager
def step(what: str) -> Iterator[None]:
    """Show a step while it runs and how long it took; the line is ended if it fails."""
    began = time.monotonic()
    _write(f"{what + '…':<{WIDTH}}")
    try:
        yield
    except BaseException:
        say("stopped")
        raise
    say(f"done ({time.monotonic() - began:.1f} s)")


def show_welcome(
    options: Options, public_url: str, environ: Mapping[str, str] | None = None
) -> None:
    """Where the site answers, where its data is, what to do next."""
    say()
    league = [("The simulated league", f"{public_url}/games/demo/")] if options.demo else []
    for name, value in (
        ("Evenmatch answers at", public_url),
        *league,
        ("Data folder", str(options.data)),
        ("Make an admin", admin_command(options, environ or {})),
        ("Stop", "Ctrl-C"),
    ):
        say(f"{name:<{WIDTH}}{value}")


def admin_command(options: Options, environ: Mapping[str, str]) -> str:
    """The command that makes an admin of this installation; with the database, where one was given."""
    return manage_command(["createsuperuser"], {**environ, "EVENMATCH_DATA_DIR": str(options.data)})
