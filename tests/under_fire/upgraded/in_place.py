"""One site under `bin/run`, upgraded as docs/installing.md says, while it is played on."""

import json
import time
from collections import Counter

from config.embedded import paths
from tests.house.site import Site, none_is_left, processes_of
from tests.under_fire.upgraded.ledger import Ledger
from tests.under_fire.upgraded.releases import Release
from tests.under_fire.upgraded.report import Report
from tests.under_fire.upgraded.traffic import Traffic

__all__ = ["QUIET", "judge", "make_season", "upgrade_in_place"]

QUIET = 10.0  # seconds of play before the upgrade


def make_season(release: Release, environ: dict[str, str]) -> str:
    """Give the site some history; returns the key of a game's server."""
    release.manage("demo_season", "--players", "60", "--matches", "600", environ=environ)
    said = release.manage("add_server_key", "demo", "--name", "Upgraded", environ=environ)
    return said.splitlines()[-1].strip()


def upgrade_in_place(
    release: Release, site: Site, traffic: Traffic, report: Report, *, quiet: float = QUIET
) -> None:
    """Upgrade, and judge what came of it; the site has ended afterwards."""
    database = paths.database_url(site.data)
    traffic.start()
    time.sleep(quiet)
    ledger = Ledger.of(database)
    began = time.monotonic()
    if (release.folder / "bin" / "upgrade").exists():
        with report.step("bin/upgrade --to"):
            data = ("--data-dir", str(site.data))
            report.say(release.run("bin/upgrade", "--to", report.after, *data))
        stopped = began
    else:
        stopped = _from_before_it_came(release, site, report)
    with report.step("until all play again"):
        report.wrong["nobody plays any more"] += not traffic.goes_on()
    version = json.loads(site.page("/health/live")).get("version")
    report.wrong["not the release that was asked for"] += version != release.version()
    time.sleep(quiet)
    early: Counter[str] = Counter()
    for visitor in traffic.visitors:
        early += visitor.faults(began, stopped)
        report.away[visitor.path] = visitor.away()
    report.wrong.update({f"while the old one still ran: {it}": n for it, n in early.items()})
    judge(traffic, ledger, database, report)
    report.wrong["status of bin/run"] += site.stop()
    if not none_is_left(site.data):
        report.wrong["processes left over"] += len(processes_of(site.data))


def judge(traffic: Traffic, ledger: Ledger, database: str, report: Report) -> None:
    """Have everybody stop, and hold what is stored against what they were told."""
    late = {visitor.path: visitor.faults(time.monotonic() - 3.0) for visitor in traffic.visitors}
    report.wrong.update({f"at last: {path}": faults.total() for path, faults in late.items()})
    report.told = traffic.end()
    report.failures = traffic.failures()
    report.wrong.update(traffic.wrongs())
    report.ledger_rows = ledger.rows
    report.wrong["the ledger from before has changed"] += not ledger.stands(database)


def _from_before_it_came(release: Release, site: Site, report: Report) -> float:
    """The way from a release without bin/upgrade; gives the moment at which the old one was stopped."""
    with report.step("the new release checked out, bin/upgrade"):
        release.check_out(report.after)
        said = release.run("bin/upgrade", "--data-dir", str(site.data))
        report.say(said)
    report.wrong["it does not say to stop bin/run"] += "Stop bin/run" not in said
    stopped = time.monotonic()
    with report.step("bin/run stopped and started"):
        site.stop()
        site.start()
        site.wait_until_up()
    return stopped
