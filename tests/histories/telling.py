"""What came of it, in words and numbers."""

from collections.abc import Iterator

from tests.histories.deeds import What
from tests.histories.trial import Report

__all__ = ["tell"]

_HEAD = ("histories", "kills", "writing", "elsewhere", "nothing", "all", "WRONG")


def tell(report: Report) -> Iterator[str]:
    """Yield the lines: a table by operation, and what was wrong."""
    yield f"{report.histories} histories of {report.matches} matches, {report.kills} kills."
    width = max(len(kind.value) for kind in What)
    yield " " * width + "".join(f"  {word}" for word in _HEAD)
    total = [0] * len(_HEAD)
    for kind in What:
        tally = report.tallies[kind]
        row = [
            tally.histories,
            tally.inside + tally.elsewhere,
            tally.inside,
            tally.elsewhere,
            tally.found["nothing"],
            tally.found["all"],
            tally.found["wrong"] + tally.wrong,
        ]
        total = [one + other for one, other in zip(total, row, strict=True)]
        yield _line(kind.value, width, row)
    yield _line("", width, total)
    yield f"Wrong: {len(report.wrong) or 'nothing'}."
    yield from report.wrong


def _line(name: str, width: int, row: list[int]) -> str:
    cells = (f"{number:{len(word) + 2}}" for word, number in zip(_HEAD, row, strict=True))
    return f"{name:{width}}" + "".join(cells)
