"""Events as they are stored: written by COPY, and read back to be compared."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from foundation.postgresql.bulk import NULL, copy_lines, escaped
from ratings.models import EventKind, LogEvent

__all__ = ["EventRow", "insert_events", "numbers_above", "stored_events"]

_COLUMNS = (
    "log_id",
    "number",
    "kind",
    "player_id",
    "victim_id",
    "at",
    "weight",
    "counts",
    "detail",
    "guest",
    "guest_victim",
)


class EventRow(NamedTuple):
    """One event without its log and number: players by their ids here."""

    kind: int
    player: int | None
    victim: int | None
    at: datetime
    weight: float | None
    counts: bool
    detail: str
    guest: str
    guest_victim: str

    def is_same(self, other: "EventRow") -> bool:
        """Whether it tells the same. Times may differ, as clocks do; whether it counts is ours to say."""
        return self == other._replace(at=self.at, counts=self.counts)


def insert_events(log: int, rows: Mapping[int, EventRow]) -> None:
    """Append events to a log, which is held, by their numbers, none of which is there yet."""
    copy_lines("ratings_logevent", _COLUMNS, _lines(log, rows))


def _lines(log: int, rows: Mapping[int, EventRow]) -> Iterator[str]:
    # In one go: this is done some hundred thousand times a second.
    for number, row in rows.items():
        kind, player, victim, at, weight, counts, detail, guest, guest_victim = row
        names = f"{escaped(guest)}\t{escaped(guest_victim)}" if guest or guest_victim else "\t"
        yield (
            f"{log}\t{number}\t{int(kind)}\t{NULL if player is None else player}"
            f"\t{NULL if victim is None else victim}\t{at.astimezone(UTC).isoformat()}"
            f"\t{NULL if weight is None else repr(weight)}\t{'t' if counts else 'f'}"
            f"\t{escaped(detail) if detail else ''}\t{names}"
        )


def stored_events(log: int, numbers: Collection[int]) -> dict[int, EventRow]:
    """The events of a log that are there among these numbers."""
    found = LogEvent.objects.filter(log=log, number__in=numbers)
    columns = ("player_id", "victim_id", "at", "weight", "counts")
    texts = ("detail", "guest", "guest_victim")
    return {
        number: EventRow(EventKind(kind), *row)
        for number, kind, *row in found.values_list("number", "kind", *columns, *texts)
    }


def numbers_above(log: int, number: int) -> Iterable[int]:
    """The numbers of a log's events above one, in their order: few, for they wait for others."""
    above = LogEvent.objects.filter(log=log, number__gt=number).order_by("number")
    return above.values_list("number", flat=True)
