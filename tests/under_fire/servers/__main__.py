"""Attacks the servers of a site that is played on: python -m tests.under_fire.servers --rounds 3

Installs a site in a folder that is deleted afterwards, and runs it with `bin/run`, with an HTTP port of its own. Ends
with 0 when play went on within ten seconds each time, and nothing that was acknowledged is lost.
"""

import argparse
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import django

from config.embedded import paths
from tests.house.site import Site


def main() -> int:
    """Read the options, start the site, carry out the trial."""
    parser = argparse.ArgumentParser(prog="python -m tests.under_fire.servers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="of every attack each")
    parser.add_argument("--seed", type=int, default=1, help="of the players' choices")
    options = parser.parse_args()
    data = Path(tempfile.mkdtemp(prefix="evenmatch-fire-"))
    data.chmod(0o711)  # PostgreSQL runs as another user where we are root
    try:
        return _attempt(data, options)
    finally:
        shutil.rmtree(data, ignore_errors=True)


def _attempt(data: Path, options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    site = Site(data)
    try:
        site.wait_until_up()
        os.environ.update(
            EVENMATCH_DATA_DIR=str(data),
            DATABASE_URL=paths.database_url(data),
            REDIS_URL=paths.redis_url(data),
            DJANGO_SETTINGS_MODULE="config.settings.production",
        )
        django.setup()
        logging.disable(logging.INFO)  # else a line a request
        from tests.under_fire.servers.attacks import ATTACKS
        from tests.under_fire.servers.telling import tell, tell_blow
        from tests.under_fire.servers.trial import attack

        url = f"http://127.0.0.1:{site.port}"
        report = attack(
            data,
            url,
            list(ATTACKS.items()) * options.rounds,
            seed=options.seed,
            on_blow=lambda blow: _say([tell_blow(blow)]),
        )
        _say(tell(report))
        if site.ended():
            report.wrong["the site ended"] = 1
        return int(bool(report.wrong))
    finally:
        _say(["What bin/run said after its start:", site.output().partition("Ctrl-C")[2].strip()])
        site.close()


def _say(lines: Iterator[str] | list[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
