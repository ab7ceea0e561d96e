"""What was found, as text."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tests.clients.fuzz.sending import PHASES, Findings

__all__ = ["tell"]

_LONGEST = 2000


def tell(all_findings: Sequence[Findings]) -> Iterator[str]:
    """Tables of the cases and of the checks, the valid requests that were refused, and what is wrong."""
    yield from _cases(all_findings)
    yield from _checks(all_findings)
    yield from _rejected(all_findings)
    for findings in all_findings:
        for kind in findings.found.values():
            yield f"\n{findings.caller}: {kind.check}, {kind.operation}, {kind.cases} cases: {kind.said}"
            yield kind.example[:_LONGEST]
        for error in findings.errors:
            yield f"\n{findings.caller}: Schemathesis could not go on: {error[:_LONGEST]}"


def _cases(all_findings: Sequence[Findings]) -> Iterator[str]:
    callers = [findings.caller for findings in all_findings]
    yield f"{'cases':<54}" + "".join(f"{caller:>9}" for caller in callers) + "   answers"
    operations = sorted({name for findings in all_findings for name, _phase in findings.cases})
    for operation in operations:
        numbers = [
            sum(n for (name, _), n in findings.cases.items() if name == operation)
            for findings in all_findings
        ]
        answers: Counter[int] = Counter()
        for findings in all_findings:
            for (name, status), number in findings.statuses.items():
                answers[status] += number if name == operation else 0
        said = ", ".join(f"{status} {answers[status]}" for status in sorted(+answers))
        yield f"{operation:<54}" + "".join(f"{number:>9}" for number in numbers) + f"   {said}"
    for phase in PHASES:
        numbers = [
            sum(n for (_, name), n in findings.cases.items() if name == phase)
            for findings in all_findings
        ]
        yield f"{'  ' + phase:<54}" + "".join(f"{number:>9}" for number in numbers)
    totals = [findings.cases.total() for findings in all_findings]
    yield f"{'  together':<54}" + "".join(f"{number:>9}" for number in totals)


def _checks(all_findings: Sequence[Findings]) -> Iterator[str]:
    made, wrong = Counter[str](), Counter[str]()
    for findings in all_findings:
        made.update(findings.checks)
        for kind in findings.found.values():
            wrong[kind.check] += kind.cases
    yield f"\n{'checks':<36}{'made':>9}{'wrong':>9}"
    for name, number in sorted(made.items()):
        yield f"{name:<36}{number:>9}{wrong[name]:>9}"


def _rejected(all_findings: Sequence[Findings]) -> Iterator[str]:
    rejected = Counter[tuple[str, str]]()
    for findings in all_findings:
        rejected.update(findings.rejected)
    yield f"\nvalid requests refused rightly, for {len({why for why, _ in rejected})} reasons"
    for (why, code), number in sorted(rejected.items()):
        yield f"{number:>6}  {code:<20} {why}"
