"""A trial's report in words and numbers."""

from collections import Counter
from collections.abc import Iterator

from tests.killing.killer import Order
from tests.killing.sessions import Phase
from tests.killing.trial import Report

__all__ = ["tell"]


def tell(report: Report) -> Iterator[str]:
    """Yield the lines of a summary."""
    plan = report.plan
    without = ", ".join(sorted(it.value for it in plan.without)) or "nothing"
    yield f"Without: {without}. Kills: {plan.kills}, seed {plan.seed}, {report.seconds:.0f} s."
    yield (
        f"Matches {report.matches}, periods closed {report.periods}, parameter versions {report.versions},"
        f" runs committed {report.notes['committed']}, feeder killed {report.feeder_kills} times."
    )
    yield from _tell_hits(report)
    for pause in report.pauses:
        yield f"Longest time without a commit: {pause.system} {pause.seconds:.1f} s, {pause.hits} hits in it."
    yield f"Longest time from stopping a worker to the next commit: {report.longest_wait:.1f} s."
    yield "Noted by workers:"
    yield from (f"  {count:6} {what}" for what, count in sorted(report.notes.items()))
    if not report.wrong:
        yield "Wrong: nothing."
        return
    yield "Wrong:"
    yield from (f"  {count:6} {name}" for name, count in report.wrong.items())


def _tell_hits(report: Report) -> Iterator[str]:
    yield f"Hits inside a run: {report.hits_inside} of {len(report.hits)}; aims missed: {report.missed}."
    stops = [hit for hit in report.hits if hit.order.is_stop and hit.phase is not Phase.IDLE]
    ended = sum(hit.is_ended for hit in stops)
    yield f"Stopped inside a run past every deadline: {len(stops)}; sessions ended by the other: {ended}."
    table = Counter((hit.order, hit.phase) for hit in report.hits)
    width = max(len(order.value) for order in Order)
    yield " " * width + "".join(f"  {phase.value}" for phase in Phase)
    for order in Order:
        cells = (f"{table[order, phase]:{len(phase.value) + 2}}" for phase in Phase)
        yield f"{order.value:{width}}" + "".join(cells)
