"""What was begun by a clock that ran ahead begins anew when that is back: else its time would not come for as long as
the clock was ahead. A player would cool off for a year, a room wait for a turn of next year.

A model says which columns of its own are meant, in `begins_anew`:

    begins_anew = (Begun("turn_began_at", beside=("turn_ends_at",)),)

Matches, searches and offers look for themselves, each time they end some.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from django.apps import apps
from django.db import IntegrityError, models
from django.db.models import F, Q, Value

from foundation.postgresql.transactions import briefly
from foundation.timekeeping.deadlines import deadlines

__all__ = ["Begun", "begin_anew"]

log = structlog.get_logger(__name__)

_BATCH = 500
_ALL = Q()


@dataclass(frozen=True, slots=True)
class Begun:
    """A column of moments, as of what began then.

    began    the column; a moment that has not come yet becomes now
    beside   columns that move with it by as much: deadlines stay as long as they were
    only     of these rows: what is over stays as it was written down, also where it is this clock that is wrong
    """

    began: str
    beside: tuple[str, ...] = ()
    only: Q = _ALL


def begin_anew() -> dict[str, int]:
    """Let begin now whatever has begun at a moment that is still to come; returns how many rows, by table and column.

    Nothing while the clock is not believed: who knows then which of them is wrong. Right when run never, once, twice or
    twice at once: rows that somebody holds are left for the next time.
    """
    found: dict[str, int] = {}
    declared = [
        (model, each) for model in apps.get_models() for each in getattr(model, "begins_anew", ())
    ]
    for model, each in declared:
        if (latest := deadlines().latest_start) is None:
            return found
        name = f"{model._meta.db_table}.{each.began}"
        try:
            moved = _move(model, each, latest)
        except IntegrityError:  # rows that cannot be moved keep no others from it
            log.exception("clock.not_begun_anew", rows=name)
            continue
        if moved:
            found[name] = moved
    if found:
        log.warning("clock.begun_ahead", rows=found)
    return found


def _move(model: type[models.Model], each: Begun, latest: datetime) -> int:
    ahead = model._default_manager.filter(each.only, **{f"{each.began}__gt": latest})
    moved = 0
    while ahead.exists():
        with briefly() as now:
            held = ahead.select_for_update(skip_locked=True, no_key=True, of=("self",))
            ids = list(held.order_by("pk").values_list("pk", flat=True)[:_BATCH])
            beside: dict[str, Any] = {
                name: F(name) - F(each.began) + Value(now) for name in each.beside
            }
            model._default_manager.filter(pk__in=ids).update(**{each.began: now}, **beside)
        moved += len(ids)
        if len(ids) < _BATCH:
            break
    return moved
