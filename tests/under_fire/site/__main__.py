"""Kills every process of a site that is played on: python -m tests.under_fire.site --kills 20 --seed 1

Runs the real `bin/run --demo`, in a folder that is deleted afterwards unless one is given, with its simulated players,
twelve others in a hurry, a game's server that sends results, a stream that is listened to, and visitors who ask for
pages many times a second. Each kind of process is killed (SIGKILL) so many times, in random order; the launcher is
started again at once. Ends with 0 when the site answered within ten seconds each time, nothing that was acknowledged
is lost, nothing is doubled, no worker was ended for doing nothing, and no process is left over.

  as an ordinary user (root becomes `nobody`, in a copy of the project): --as user
  as root in a container, without SYS_PTRACE and namespaces:             --as container
  with two busy loops a core beside it, matches within three minutes:    --kills 0 --busy 2
"""

import argparse
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django

from config.embedded import paths
from config.embedded.privileges import NOBODY
from tests.house.confined import AS_NOBODY, IN_A_CONTAINER
from tests.house.site import Site, copy_project
from tests.under_fire.site.kinds import KINDS

__all__ = ["UP"]

UP = "The site answers at "


def main() -> int:
    """Read the options, start the site, carry out the trial."""
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # also then nothing is left behind
    folder = Path(tempfile.mkdtemp(prefix="evenmatch-fire-"))
    folder.chmod(0o755)  # other users pass
    try:
        with _busy_loops(options.busy * (os.cpu_count() or 1)):
            return _attempt(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.under_fire.site",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--kills", type=int, default=20, help="of each kind; 0: only play")
    parser.add_argument(
        "--kinds",
        nargs="+",
        choices=KINDS,
        default=list(KINDS),
        metavar="KIND",
        help=", ".join(KINDS),
    )
    parser.add_argument("--seed", type=int, default=1, help="of order and players' choices")
    parser.add_argument("--as", dest="who", choices=("self", "user", "container"), default="self")
    parser.add_argument("--busy", type=int, default=0, help="busy loops beside it, for each core")
    parser.add_argument(
        "--rest", type=float, nargs=2, default=(1.0, 3.0), help="seconds between two kills"
    )
    parser.add_argument(
        "--patient", action="store_true", help="do not judge how long anything took"
    )
    parser.add_argument("--data-dir", type=Path, help="of a demo to go on with; it is kept")
    parser.add_argument(
        "--wait", action="store_true", help="begin when standard input ends, with a site that is up"
    )
    options = parser.parse_args()
    if options.who != "self" and os.geteuid() != 0:
        parser.error(f"--as {options.who}: only root can become somebody else")
    return options


def _attempt(folder: Path, options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    began = time.monotonic()
    site = _start(folder, options)
    try:
        site.wait_until_up()
        if options.wait:
            _say([f"{UP}http://127.0.0.1:{site.port}"])
            sys.stdin.read()
        os.environ.update(
            EVENMATCH_DATA_DIR=str(site.data),
            DATABASE_URL=paths.database_url(site.data),
            REDIS_URL=paths.redis_url(site.data),
            DJANGO_SETTINGS_MODULE="config.settings.production",
        )
        django.setup()
        logging.disable(logging.INFO)  # else a line a request
        from tests.under_fire.site.telling import tell, tell_kill
        from tests.under_fire.site.trial import Plan, attempt

        plan = Plan(
            options.kills,
            options.kinds,
            options.seed,
            rest=tuple(options.rest),
            patient=options.patient,
        )
        report = attempt(site, began, plan, on_kill=lambda kill: _say([tell_kill(kill)]))
        _say(tell(report))
        return int(bool(report.wrong))
    finally:
        _say(["What bin/run said:", site.output().strip()])
        site.close()


def _start(folder: Path, options: argparse.Namespace) -> Site:
    data = options.data_dir or folder / "data"
    if options.who == "user":
        project = copy_project(folder / "project")
        data.mkdir(exist_ok=True)
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(folder), str(data)], check=True)
        return Site(data, "--demo", project=project, prefix=AS_NOBODY, environ={"HOME": "/"})
    prefix = IN_A_CONTAINER if options.who == "container" else ()
    return Site(data, "--demo", prefix=prefix)


@contextmanager
def _busy_loops(number: int) -> Iterator[None]:
    """So many processes beside it that never rest."""
    command = [sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(command) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _say(lines: Iterator[str] | list[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
