"""What came of an upgrade, in words."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.under_fire.upgraded.traffic import Told

__all__ = ["Report"]


@dataclass
class Report:
    """What came of it. `wrong` maps each check that failed to what it counted.

    say       is told of each step as it ends
    seconds   of each step, in order
    away      longest time without an answer, by who asked
    failures  what failed for those who asked, whatever they did about it then
    served    requests that the proxy has answered, by who answered; empty without a proxy
    """

    before: str
    after: str
    say: Callable[[str], None]
    seconds: dict[str, float] = field(default_factory=dict)
    away: dict[str, float] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    served: Counter[str] = field(default_factory=Counter)
    told: Told = field(default_factory=Told)
    ledger_rows: int = 0
    wrong: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Note how long it takes."""
        began = time.monotonic()
        yield
        self.seconds[what] = time.monotonic() - began
        self.say(f"{what}: {self.seconds[what]:.1f} s")

    def words(self) -> Iterator[str]:
        """What came of it and what is wrong, a line each."""
        yield f"From {self.before[:12]} to {self.after[:12]}."
        acts = ", ".join(f"{name} {number}" for name, number in sorted(self.told.acts.items()))
        yield f"Acknowledged: {acts or 'nothing'}; results {self.told.results}."
        yield f"Visits: {self.told.visits}. Messages of the stream: {self.told.messages}."
        yield f"Rows of the ledger from before: {self.ledger_rows}."
        if self.served:
            yield "Answered through the proxy:"
            yield from (f"  {what}: {number}" for what, number in sorted(self.served.items()))
        for who, away in self.away.items():
            yield f"Longest without an answer: {away:.1f} s, {who}"
        yield "Failed, and tried again: " + ("" if self.failures else "nothing")
        yield from (f"  {what}: {number}" for what, number in sorted(self.failures.items()))
        found = {what: number for what, number in self.wrong.items() if number}
        yield "Wrong: " + ("" if found else "nothing")
        yield from (f"  {what}: {number}" for what, number in found.items())
