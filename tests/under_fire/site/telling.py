"""A report in words, and as a table for docs/results/killed-processes.md."""

from collections.abc import Iterator, Sequence
from statistics import median

from tests.under_fire.site.trial import Kill, Report

__all__ = ["tell", "tell_kill"]

_NEVER = float("inf")


def tell_kill(kill: Kill) -> str:
    """Say in one line who was killed, and how soon all was well."""
    answers, back, sweep = (_seconds(wait) for wait in (kill.answers, kill.back, kill.sweep))
    return f"{kill.kind}: answers after {answers}, is back after {back}, next sweep after {sweep}"


def tell(report: Report) -> Iterator[str]:
    """Say what was done, what came of it and what is wrong."""
    yield f"Up after {report.up:.1f} s, first match after {_seconds(report.first_match)}."
    yield f"{report.seconds:.0f} s, {len(report.kills)} kills. Seconds, median and longest:"
    if report.kills:
        yield ""
        yield from _table(report.kills)
        yield ""
    kept = ", ".join(f"{name} {number}" for name, number in sorted(report.kept.items()))
    yield f"Acknowledged: {kept or 'nothing'}; results {report.results}."
    yield f"Stored: {report.matches} matches from queues. {report.events} events reached the stream."
    yield f"Ended by the watchdog: {report.ended_by_watchdog}."
    yield "Wrong: " + ("nothing" if not report.wrong else "")
    for name, number in report.wrong.items():
        yield f"  {name}: {number}"


def _table(kills: Sequence[Kill]) -> Iterator[str]:
    yield "| killed | times | the site answers | the process is back | the next sweep |"
    yield "|---|---|---|---|---|"
    for kind in sorted({kill.kind for kill in kills}):
        of = [kill for kill in kills if kill.kind == kind]
        waits = ([one.answers for one in of], [one.back for one in of], [one.sweep for one in of])
        yield f"| {kind} | {len(of)} | " + " | ".join(map(_median_and_longest, waits)) + " |"


def _median_and_longest(waits: Sequence[float | None]) -> str:
    known = [_NEVER if wait is None else wait for wait in waits]
    return f"{_seconds(median(known))}, {_seconds(max(known))}"


def _seconds(wait: float | None) -> str:
    return "never" if wait is None or wait == _NEVER else f"{wait:.1f} s"
