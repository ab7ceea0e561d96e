"""What became of searches: how long they took by hour of the week, and how they ended by how long they had waited."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from matchmaking.pool.activity import CELLS, ENDED
from matchmaking.pool.period import Period

__all__ = ["STEPS", "Ended", "Searches", "searches_of"]

# Seconds of waiting at which the rows of the table begin.
STEPS = (0, 10, 30, 60, 120, 300, 900)
_CELL = "((extract(isodow FROM local) - 1) * 24 + extract(hour FROM local))::int"
_SEARCHES = f"""
WITH ended AS MATERIALIZED (
    SELECT state, {_CELL} AS cell, greatest(extract(epoch FROM ended_at - waiting_since), 0)::float8 AS wait
    FROM ({ENDED}) AS ticket
)
SELECT 'cell', cell, NULL, count(*), percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY wait)
    FILTER (WHERE state = 'matched') FROM ended GROUP BY GROUPING SETS ((cell), ())
UNION ALL
SELECT 'step', width_bucket(wait, %(steps)s::float8[]) - 1, state, count(*), NULL FROM ended GROUP BY 2, 3
UNION ALL
SELECT 'step', width_bucket(greatest(extract(epoch FROM %(now)s - waiting_since), 0)::float8, %(steps)s::float8[]) - 1,
    'live', count(*), NULL
FROM matchmaking_ticket WHERE queue_id = ANY(%(queues)s) AND state IN ('waiting', 'offered') GROUP BY 2
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Ended:
    """Searches that had waited for at least `at_least` seconds, and less than those of the next row.

    matched, cancelled, expired  how they ended;   live  those that search now, by how long they have waited
    """

    at_least: int
    matched: int
    cancelled: int
    expired: int
    live: int

    @property
    def share(self) -> float | None:
        """Share of those that ended here which found a match; None of none."""
        ended = self.matched + self.cancelled + self.expired
        return self.matched / ended if ended else None


@dataclass(frozen=True, slots=True)
class Searches:
    """Searches that ended in a period, by when they began.

    number    all of them
    p50, p90  seconds within which half and nine in ten of those that found a match did; None of none
    cells     "searches" for the hours of a week, "p50" and "p90" likewise, None where no match was found
    ended     by how long they had waited
    """

    number: int
    p50: float | None
    p90: float | None
    cells: dict[str, list[float | None]]
    ended: list[Ended]

    @property
    def share(self) -> float | None:
        """Share of all that found a match; None of none."""
        return self.sums["matched"] / self.number if self.number else None

    @property
    def sums(self) -> dict[str, int]:
        """How many of each end."""
        names = ("matched", "cancelled", "expired", "live")
        return {name: sum(getattr(one, name) for one in self.ended) for name in names}


def searches_of(period: Period, now: datetime) -> Searches:
    """Return what became of the searches of a period. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_SEARCHES, {**period.given(), "steps": list(STEPS), "now": now})
        rows = cursor.fetchall()
    names = ("searches", "p50", "p90")
    cells: dict[str, list[float | None]] = {name: [None] * CELLS for name in names}
    cells["searches"] = [0] * CELLS
    ended = [dict.fromkeys(("matched", "cancelled", "expired", "live"), 0) for _ in STEPS]
    number, shares = 0, [None, None]
    for kind, at, state, count, waits in rows:
        if kind == "step":
            ended[at][state] = count
        elif at is None:
            number, shares = count, waits or [None, None]
        else:
            cells["searches"][at] = count
            cells["p50"][at], cells["p90"][at] = waits or [None, None]
    return Searches(
        number=number,
        p50=shares[0],
        p90=shares[1],
        cells=cells,
        ended=[Ended(step, **one) for step, one in zip(STEPS, ended, strict=True)],
    )
