"""Cuts the network of a site on three machines that is played on: python -m tests.under_fire.machines --partitions 50

Makes three network namespaces (PostgreSQL and Valkey; web processes; workers and timer) and a switch between them; so
it takes root. Players play from a fourth. Ends with 0 when play went on within ten seconds of healing each time, and
nothing that was acknowledged is lost, and nothing is doubled.
"""

import argparse
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import django

from config.embedded import paths
from tests.under_fire.machines.hosts import URL, site_on_machines
from tests.under_fire.machines.network import Switch, network


def main() -> int:
    """Read the options, make the machines, carry out the trial."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.under_fire.machines", description=__doc__
    )
    parser.add_argument("--partitions", type=int, default=50, help="how many, one at a time")
    parser.add_argument("--seed", type=int, default=1, help="of lengths and players' choices")
    parser.add_argument("--keep", action="store_true", help="leave the folder with its logs")
    options = parser.parse_args()
    if os.geteuid() != 0:
        parser.error("only root may make networks")
    folder = Path(tempfile.mkdtemp(prefix="evenmatch-machines-"))
    folder.chmod(0o711)  # PostgreSQL runs as another user
    try:
        with network():
            switch = Switch()
            try:
                return _attempt(folder, switch, options)
            finally:
                switch.end()
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


def _attempt(folder: Path, switch: Switch, options: argparse.Namespace) -> int:
    """Import what needs Django only now that its servers are there."""
    with site_on_machines(folder) as services:
        data = folder / "data"
        os.environ.update(
            EVENMATCH_DATA_DIR=str(folder / "trial"),
            DATABASE_URL=paths.database_url(data),
            REDIS_URL="redis://10.77.0.2:6379/0",
            EVENMATCH_PUBLIC_URL=URL,
            DJANGO_SETTINGS_MODULE="config.settings.production",
        )
        django.setup()
        logging.disable(logging.INFO)  # else a line a request
        from tests.under_fire.machines.partitions import partitions
        from tests.under_fire.servers.telling import tell, tell_blow
        from tests.under_fire.servers.trial import attack

        report = attack(
            data,
            URL,
            partitions(switch, options.partitions, options.seed),
            seed=options.seed,
            on_blow=lambda blow: _say([tell_blow(blow)]),
        )
        _say(tell(report))
        _say([f"Processes started: {sum(one.starts for one in services)} of {len(services)}."])
        return int(bool(report.wrong))


def _say(lines: Iterable[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
