"""A report in words."""

from collections.abc import Iterator

from tests.under_fire.servers.going_on import SIGNS
from tests.under_fire.servers.trial import Blow, Report

__all__ = ["tell", "tell_blow"]


def tell_blow(blow: Blow) -> str:
    """Say in one line what was done, and how soon play went on."""
    waits = ", ".join(
        f"{sign} {f'{blow.waits[sign]:.1f} s' if sign in blow.waits else 'never'}" for sign in SIGNS
    )
    return f"{blow.name}: back after {blow.away:.1f} s; from then on: {waits}"


def tell(report: Report) -> Iterator[str]:
    """Say what was done, what came of it and what is wrong, a line each."""
    yield f"{report.seconds:.0f} s, {len(report.blows)} looks; longest wait from the server's return:"
    for name in dict.fromkeys(blow.name for blow in report.blows):
        of = [blow for blow in report.blows if blow.name == name]
        longest = {sign: max(blow.waits.get(sign, float("inf")) for blow in of) for sign in SIGNS}
        yield f"  {name}: " + ", ".join(f"{sign} {wait:.1f} s" for sign, wait in longest.items())
    yield "Stored: " + ", ".join(f"{name} {n}" for name, n in sorted(report.counts.items()))
    yield "Acknowledged: " + ", ".join(f"{name} {n}" for name, n in sorted(report.kept.items()))
    yield f"{report.events} events reached the stream, which was opened {report.streams} times."
    yield "Wrong: " + ("nothing" if not report.wrong else "")
    for name, number in report.wrong.items():
        yield f"  {name}: {number}"
