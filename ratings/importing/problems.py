"""What is wrong with a file, line by line."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ratings.evaluation.reading.cells import shorten

__all__ = ["FileRejectedError", "Problem", "Problems"]

LIMIT = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault: where it is, what stands there, and what would be right."""

    line: int
    column: str
    value: str
    expected: str

    def __str__(self) -> str:
        line = _("line %(line)d") % {"line": self.line}
        if not self.column:
            return f"{line}: {self.expected}"
        return f"{line}, {self.column} = {shorten(self.value)}: {self.expected}"


class FileRejectedError(Exception):
    """The file has faults and nothing of it was taken in. `problems` holds the first of them, in order."""

    def __init__(self, problems: tuple[Problem, ...], *, there_may_be_more: bool) -> None:
        self.problems = problems
        self.there_may_be_more = there_may_be_more
        super().__init__("\n".join(str(problem) for problem in problems))


class Problems:
    """Gathers faults, so that an operator sees more than one at a time; gives up at the twentieth."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)

    def add(self, line: int, column: str, value: str, expected: str) -> None:
        """Note one fault; raises FileRejectedError when there are enough of them."""
        self._found.append(Problem(line, column, value, expected))
        if len(self._found) >= LIMIT:
            self._reject(there_may_be_more=True)

    def raise_if_any(self) -> None:
        """Raise FileRejectedError if anything was found."""
        if self._found:
            self._reject(there_may_be_more=False)

    def _reject(self, *, there_may_be_more: bool) -> None:
        raise FileRejectedError(tuple(self._found), there_may_be_more=there_may_be_more)
