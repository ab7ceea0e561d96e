"""A queue from its first second to its last, sweep by sweep."""

from collections.abc import Callable, Sequence

import numpy as np

from matchmaking.pairing.model.plan import Plan
from matchmaking.pairing.model.proposed import Meetings
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.preview.simulation.course import Course
from matchmaking.preview.simulation.draw import Arrivals, draw_arrivals
from matchmaking.preview.simulation.population import Crowd
from matchmaking.preview.simulation.report import Report, report_on
from ratings.systems.arrays import Floats, Ints

__all__ = ["run", "simulate"]

_NOBODY = np.empty(0, dtype=np.int64)


def simulate(
    plan: Plan, crowd: Crowd, *, seeds: Sequence[int] = (1,), band: float | None = None
) -> Report:
    """The figures of a queue with these settings and this crowd, over all seeds together.

    band  see `report_on`
    """
    courses = [
        run(draw_arrivals(crowd, plan, np.random.default_rng(seed)), plan, crowd) for seed in seeds
    ]
    return report_on(Course.join(courses), crowd, band=band)


def run(
    arrivals: Arrivals, plan: Plan, crowd: Crowd, *, goes_on: Callable[[], bool] = lambda: True
) -> Course:
    """Sweep from the start to the end of the crowd's seconds. Who waits then stays unmatched.

    goes_on  asked before each sweep; once it says no, the queue is watched no longer
    """
    hall = _Hall(arrivals)
    for number in range(1, crowd.sweeps + 1):
        if not goes_on():
            break
        now = number * crowd.sweep_every
        hall.let_in(now)
        if hall.players >= plan.team_count * plan.team_size:
            hall.seat(find_matches(arrivals.tickets(hall.waiting, now), plan), now)
    return hall.close()


class _Hall:
    """Who waits, and what came of those who do not."""

    def __init__(self, arrivals: Arrivals) -> None:
        n = len(arrivals)
        self.waiting: Ints = _NOBODY
        self._arrivals, self._sizes = arrivals, arrivals.seats.sizes
        self._come, self._now = 0, 0.0
        self._ended: Floats = np.full(n, np.nan)
        self._matched, self._left = np.zeros((2, n), dtype=np.bool_)
        self._own_gap: Floats = np.full(n, np.nan)
        self._gap, self._chance, self._cost = ([np.empty(0)] for _ in range(3))

    @property
    def players(self) -> int:
        """How many players wait."""
        return int(self._sizes[self.waiting].sum())

    def let_in(self, now: float) -> None:
        """Let in who has come, and out who has waited long enough."""
        self._now = now
        come = int(np.searchsorted(self._arrivals.at, now, side="right"))
        self.waiting = np.concatenate((self.waiting, np.arange(self._come, come)))
        self._come = come
        gives_up = self._arrivals.gives_up[self.waiting]
        if (gone := gives_up <= now).any():
            tickets = self.waiting[gone]
            self._left[tickets], self._ended[tickets] = True, gives_up[gone]
            self.waiting = self.waiting[~gone]

    def seat(self, meetings: Meetings, now: float) -> None:
        """Note the matches of a sweep."""
        if not len(meetings):
            return
        tickets = self.waiting[meetings.ticket]
        self._matched[tickets], self._ended[tickets] = True, now
        self._own_gap[tickets] = meetings.gap[meetings.meeting]
        self._gap.append(meetings.gap)
        self._chance.append(meetings.chance)
        self._cost.append(meetings.cost)
        self.waiting = self.waiting[np.sort(meetings.left)]

    def close(self) -> Course:
        """What came of all that have come."""
        come = slice(self._come)
        ended = np.where(np.isnan(self._ended), self._now, self._ended)
        return Course(
            rating=self._arrivals.rating[come],
            wait=(ended - self._arrivals.at)[come],
            matched=self._matched[come],
            left=self._left[come],
            own_gap=self._own_gap[come],
            gap=np.concatenate(self._gap),
            chance=np.concatenate(self._chance),
            cost=np.concatenate(self._cost),
        )
