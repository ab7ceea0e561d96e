"""Two groups of processes behind a proxy, upgraded one after the other as docs/installing.md says."""

import time
from collections import Counter
from collections.abc import Sequence

from tests.under_fire.upgraded.groups import Group
from tests.under_fire.upgraded.in_place import QUIET, judge
from tests.under_fire.upgraded.ledger import Ledger
from tests.under_fire.upgraded.proxy import Answer, Proxy
from tests.under_fire.upgraded.releases import Release
from tests.under_fire.upgraded.report import Report
from tests.under_fire.upgraded.traffic import Traffic

__all__ = ["upgrade_one_after_the_other"]

_RESTS = 5.0  # seconds after which nothing is on its way to a group that rests
_GAVE_UP = 499  # as nginx notes it: whoever asked has hung up


def upgrade_one_after_the_other(
    new: Release,
    groups: Sequence[Group],
    proxy: Proxy,
    traffic: Traffic,
    report: Report,
    *,
    quiet: float = QUIET,
) -> None:
    """Upgrade, and judge what came of it. A request that fails, for whatever reason, is wrong."""
    database = groups[0].shared["DATABASE_URL"]
    traffic.start()
    since = time.time()
    time.sleep(quiet)
    ledger = Ledger.of(database)
    with report.step("migrate, while both groups are of the old release"):
        new.manage("migrate", "--no-input", "-v0", environ=groups[0].environ())
    moments = {"old": time.time()}
    time.sleep(quiet)
    for group in groups:
        with report.step(f"{group.name}: rests, stops, starts as the new release"):
            proxy.rest(group.name)
            time.sleep(_RESTS)
            report.wrong[f"{group.name}: ended by themselves"] += len(group.ended())
            report.wrong[f"{group.name}: had to be killed"] += len(group.stop())
            moments[group.name] = time.time()
            group.start(new)
            proxy.rest("")
        time.sleep(quiet)
    with report.step("until all play on"):
        report.wrong["nobody plays any more"] += not traffic.goes_on()
    until = time.time()
    judge(traffic, ledger, database, report)
    for group in groups:
        report.wrong[f"{group.name}: ended by themselves, as the new release"] += len(group.ended())
    answers = [answer for answer in proxy.answers() if since <= answer.at < until]
    report.served = _served(answers, moments)
    report.wrong.update(_failed(answers))
    report.wrong.update({f"failed: {what}": number for what, number in report.failures.items()})


def _served(answers: Sequence[Answer], moments: dict[str, float]) -> Counter[str]:
    """How many were answered by whom, and how many that one group did not answer were answered by the other."""
    found: Counter[str] = Counter()
    for answer in answers:
        if answer.group:
            release = "new" if answer.at > moments.get(answer.group, float("inf")) else "old"
            found[f"{answer.group}, {release} release"] += 1
        found["asked of the other group, too"] += answer.tries > 1
    return found


def _failed(answers: Sequence[Answer]) -> Counter[str]:
    return Counter(
        f"answered by the proxy: {answer.status} {answer.method} {answer.path}"
        for answer in answers
        if answer.status >= _GAVE_UP
    )
