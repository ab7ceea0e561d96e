"""A report in words."""

import math
from collections.abc import Iterator

from tests.under_fire.trial import Report

__all__ = ["tell"]


def tell(report: Report) -> Iterator[str]:
    """Say what was done, what came of it and what is wrong, a line each."""
    yield f"{report.seconds:.0f} s; hits by kind, whom, and whether inside a writing transaction:"
    for (kind, who, inside), number in sorted(report.hits.items()):
        yield f"  {kind} {who}{' inside' if inside else ''}: {number}"
    if waits := [wait for wait in report.waits if math.isfinite(wait)]:
        middle, late = waits[len(waits) // 2], waits[int(len(waits) * 0.99)]
        yield (
            f"From a hit to the next sweep of the later queue: median {middle:.2f} s, p99 {late:.2f} s,"
            f" longest {waits[-1]:.2f} s, more than 5 s: {sum(wait > 5 for wait in waits)};"
            f" none seen after: {len(report.waits) - len(waits)}; {report.sweeps} sweeps seen."
        )
    yield "Stored: " + ", ".join(f"{name} {n}" for name, n in sorted(report.counts.items()))
    yield "Acknowledged: " + ", ".join(f"{name} {n}" for name, n in sorted(report.kept.items()))
    yield "Failures that a task queue or a web process would log:"
    for name, number in report.notes.most_common(12):
        yield f"  {name}: {number}"
    yield "Wrong: " + ("nothing" if not report.wrong else "")
    for name, number in report.wrong.items():
        yield f"  {name}: {number}"
