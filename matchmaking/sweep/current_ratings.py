"""The ratings that count now, as arrays: with the deviation that has grown up to this moment."""

from collections.abc import Mapping
from datetime import datetime

import numpy as np

from foundation.bulk import Column, moment, real, to_micros
from matchmaking.sweep.pairing_context import PairingContext
from ratings.systems import Ratings
from ratings.systems.arrays import Floats
from ratings.tracks.periods import calendar_of

__all__ = ["RATING_COLUMNS", "current_ratings"]

# Of a row `rating` that may be missing.
RATING_COLUMNS = {
    "value": real("coalesce(rating.value, 'NaN')"),
    "deviation": real("coalesce(rating.deviation, 'NaN')"),
    "volatility": real("coalesce(rating.volatility, 'NaN')"),
    "as_of": moment("coalesce(rating.as_of, ticket.waiting_since)"),
}


def current_ratings(
    context: PairingContext, found: Mapping[str, Column], now: datetime
) -> tuple[Floats, Floats]:
    """Ratings and deviations as of now, of rows with `RATING_COLUMNS`; nan where the system has no deviation.

    Players without a rating have what everyone begins with; on a ladder without a track all are equal.
    """
    value, deviation, volatility = (found[name] for name in ("value", "deviation", "volatility"))
    system = context.plan.system
    if context.track is None or system is None:
        return np.zeros(len(value)), deviation
    initial, new = system.initial(1), np.isnan(value)
    value[new] = initial.value[0]
    if initial.deviation is None:
        return value, deviation
    deviation[new] = initial.deviation[0]
    if initial.volatility is not None:
        volatility[new] = initial.volatility[0]
    if (calendar := calendar_of(context.track)) is None:
        return value, deviation
    # Deviations have grown since they were computed, by the part of a period that has passed.
    nothing = np.zeros(len(value), dtype=np.int64)
    known = None if initial.volatility is None else volatility
    idle = np.maximum(to_micros(now) - found["as_of"], 0) / calendar.length_us
    aged = system.age(Ratings(value, deviation, known, nothing, nothing), idle).deviation
    return value, deviation if aged is None else aged
