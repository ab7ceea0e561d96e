"""A trial's report in words and numbers."""

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
    pauses = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in report.longest_pause.items())
    yield f"Longest time without a commit: {pauses}."
    yield "Noted by workers:"
    yield from (f"  {count:6} {what}" for what, count in sorted(report.notes.items()))
    if not report.wrong:
        yield "Wrong: nothing."
        return
    yield "Wrong:"
    yield from (f"  {count:6} {name}" for name, count in report.wrong.items())


def _tell_hits(report: Report) -> Iterator[str]:
    yield f"Hits inside a run: {report.hits_inside} of {report.hits.total()}; aims missed: {report.missed}."
    width = max(len(order.value) for order in Order)
    yield " " * width + "".join(f"  {phase.value}" for phase in Phase)
    for order in Order:
        cells = (f"{report.hits[order, phase]:{len(phase.value) + 2}}" for phase in Phase)
        yield f"{order.value:{width}}" + "".join(cells)
