"""Upgrades a site that is played on: python -m tests.under_fire.upgraded --before 0753c3c3

Clones this project at an earlier commit, starts it by its own bin/run with a folder of its own, and lets players play
on it through the API, a game's server send results, alone and twenty at a time, an open stream listen, visitors read
pages with all that these name, and somebody stay signed in. Then it does what docs/installing.md says. Ends with 0 when
nothing that was acknowledged is lost, nothing is doubled, and everybody goes on with the keys and sessions of before.

  two groups behind nginx, one after the other, without one request that fails:   --groups
"""

import argparse
import logging
import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

import django

from config.embedded import paths
from config.embedded.servers import Servers
from tests.house.site import Site, free_port
from tests.under_fire.upgraded.groups import Group
from tests.under_fire.upgraded.proxy import Proxy
from tests.under_fire.upgraded.releases import Release, commit_of


def main() -> int:
    """Read the options, carry out the trial."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.under_fire.upgraded",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--before", required=True, help="the commit to upgrade from")
    parser.add_argument("--after", default="HEAD", help="the commit to upgrade to")
    parser.add_argument("--groups", action="store_true", help="two groups behind a proxy")
    parser.add_argument("--seed", type=int, default=1, help="of the players' choices")
    parser.add_argument(
        "--packages",
        type=Path,
        help="with --groups: the .venv of a clone at the earlier commit, such as one that was kept",
    )
    parser.add_argument("--keep", action="store_true", help="leave the folder with its logs")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # also then nothing is left behind
    folder = Path(tempfile.mkdtemp(prefix="evenmatch-upgraded-"))
    folder.chmod(0o711)  # PostgreSQL runs as another user where we are root
    try:
        return (_in_groups if options.groups else _in_place)(folder, options)
    finally:
        if options.keep:
            _say(f"Left in {folder}.")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _in_place(folder: Path, options: argparse.Namespace) -> int:
    before, after = commit_of(options.before), commit_of(options.after)
    _say("The old release is installed…")
    release, data = Release(folder / "evenmatch", before), folder / "data"
    _be_a_client(folder, paths.database_url(data), paths.redis_url(data))
    from tests.under_fire.upgraded.in_place import make_season, upgrade_in_place
    from tests.under_fire.upgraded.report import Report
    from tests.under_fire.upgraded.traffic import Traffic

    report = Report(before, after, _say)
    key = make_season(release, {"EVENMATCH_DATA_DIR": str(data)})
    site = Site(data, project=release.folder)
    try:
        site.wait_until_up()
        url = f"http://127.0.0.1:{site.port}"
        traffic = Traffic(url, key, paths.database_url(data), options.seed)
        upgrade_in_place(release, site, traffic, report)
    finally:
        _say(f"What bin/run said:\n{site.output().strip()}")
        site.close()
    return _tell(report.words(), report.wrong)


def _in_groups(folder: Path, options: argparse.Namespace) -> int:
    before, after = commit_of(options.before), commit_of(options.after)
    _say("Both releases are installed…")
    old = Release(folder / "old", before, options.packages)
    new = Release(folder / "new", after)
    data, port = folder / "servers", free_port()
    shared = {
        "DATABASE_URL": paths.database_url(data),
        "REDIS_URL": paths.redis_url(data),
        "EVENMATCH_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "EVENMATCH_BEHIND_PROXY": "true",
        "EVENMATCH_SECRET_KEY": secrets.token_urlsafe(48),
        "EVENMATCH_WEB_PROCESSES": "1",
    }
    groups = [
        Group(name, folder / name, free_port(), shared, has_timer=name == "one")
        for name in ("one", "two")
    ]
    with ExitStack() as ends:
        ends.enter_context(Servers(data).in_use())
        _be_a_client(folder, shared["DATABASE_URL"], shared["REDIS_URL"])
        from tests.under_fire.upgraded.in_place import make_season
        from tests.under_fire.upgraded.report import Report
        from tests.under_fire.upgraded.rolling import upgrade_one_after_the_other
        from tests.under_fire.upgraded.traffic import Traffic

        report = Report(before, after, _say)
        old.manage("migrate", "--no-input", "-v0", environ=groups[0].environ())
        key = make_season(old, groups[0].environ())
        for group in groups:
            ends.callback(group.stop)
            group.start(old)
        proxy = Proxy(folder / "nginx", port, {group.name: group.address for group in groups})
        ends.callback(proxy.stop)
        url = shared["EVENMATCH_PUBLIC_URL"]
        traffic = Traffic(url, key, shared["DATABASE_URL"], options.seed)
        upgrade_one_after_the_other(new, groups, proxy, traffic, report)
    return _tell(report.words(), report.wrong)


def _be_a_client(folder: Path, database: str, cache: str) -> None:
    """Set Django up: simulated players look into the database for people who wait."""
    os.environ.update(
        EVENMATCH_DATA_DIR=str(folder / "trial"),
        DATABASE_URL=database,
        REDIS_URL=cache,
        DJANGO_SETTINGS_MODULE="config.settings.production",
    )
    (folder / "trial").mkdir()
    django.setup()
    logging.disable(logging.INFO)  # else a line a request


def _tell(words: Iterable[str], wrong: Mapping[str, int]) -> int:
    for line in words:
        _say(line)
    return int(any(wrong.values()))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
