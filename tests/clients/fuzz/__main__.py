"""Sends a whole site what its API's description allows, and what it does not: python -m tests.clients.fuzz --seed 1

Installs a site in a folder that is deleted afterwards, runs it with `bin/run` and limits of rate that are not reached,
and lets Schemathesis try every operation: as the game's server (`key`), as a player (`token`), and as `nobody`.
Ends with 0 when no answer was 5xx, none was other than described, nothing wrong was taken, and nothing right was
refused without one of the reasons in `tests/clients/fuzz/explained.py`.
"""

import argparse
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import django

from config.embedded import paths
from tests.house.site import Site

_PHASES = ("examples", "coverage", "fuzzing", "stateful")
_CALLERS = ("key", "token", "nobody")
_LIMITS = ("ANONYMOUS", "PLAYER_READ", "PLAYER_WRITE", "SERVER_READ", "SERVER_WRITE")


def main() -> int:
    """Read the options, start the site, send."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.clients.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--examples",
        type=int,
        default=20,
        help="drawn for each operation, besides those that cover each rule; default: 20",
    )
    parser.add_argument(
        "--chains", type=int, default=60, help="in which one answer leads to the next; default: 60"
    )
    parser.add_argument("--callers", nargs="+", choices=_CALLERS, default=list(_CALLERS))
    parser.add_argument("--phases", nargs="+", choices=_PHASES, default=list(_PHASES))
    parser.add_argument("--seed", type=int, default=1, help="of all random choices")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # also then nothing is left behind
    folder = Path(tempfile.mkdtemp(prefix="evenmatch-fuzz-"))
    folder.chmod(0o711)  # PostgreSQL runs as another user where we are root
    try:
        return _attempt(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _attempt(folder: Path, options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    site = Site(folder, environ={f"EVENMATCH_LIMIT_{name}": "1000000/60" for name in _LIMITS})
    try:
        site.wait_until_up()
        os.environ.update(
            EVENMATCH_DATA_DIR=str(folder),
            DATABASE_URL=paths.database_url(folder),
            REDIS_URL=paths.redis_url(folder),
            DJANGO_SETTINGS_MODULE="config.settings.production",
        )
        django.setup()
        logging.disable(logging.INFO)  # else a line a request
        from tests.clients.fuzz.sending import send
        from tests.clients.fuzz.telling import tell
        from tests.clients.fuzz.world import make_world

        began = time.monotonic()
        world = make_world(f"http://127.0.0.1:{site.port}")
        found = []
        try:
            for caller in options.callers:
                found.append(
                    send(
                        world,
                        caller,
                        examples=options.examples,
                        chains=options.chains,
                        seed=options.seed,
                        phases=options.phases,
                    )
                )
                sys.stderr.write(f"{caller}: {time.monotonic() - began:.0f} s\n")
        finally:
            _say(tell(found))  # also of those before the one that was ended
        return int(any(findings.found or findings.errors for findings in found))
    finally:
        _say(["What bin/run said after its start:", site.output().partition("Ctrl-C")[2].strip()])
        _say(["What its logs say of errors:", *_errors_in(folder / "log")])
        site.close()


def _errors_in(logs: Path) -> Iterable[str]:
    """Lines of errors, of their tracebacks, and of answers that say that something is wrong with the site."""
    marks = ("error", "Error", "Traceback", '"status": 5', "  File ")
    for log in sorted(logs.glob("*.log")):
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            if any(mark in line for mark in marks):
                yield f"{log.stem}: {line[:600]}"


def _say(lines: Iterable[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
