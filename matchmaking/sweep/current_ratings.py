"""What is believed of players now, as arrays: their ratings, aged to this moment."""

from collections.abc import Mapping
from datetime import datetime

import numpy as np

from foundation.bulk import Column, moment, real, to_micros
from matchmaking.sweep.basis import Basis
from ratings.models import RatingTrack
from ratings.systems import Ratings, System
from ratings.systems.arrays import Floats, Ints
from ratings.tracks.periods import calendar_of

__all__ = ["RATING_COLUMNS", "believe"]

# Of a row `rating` that may be missing.
RATING_COLUMNS = {
    "value": real("coalesce(rating.value, 'NaN')"),
    "deviation": real("coalesce(rating.deviation, 'NaN')"),
    "volatility": real("coalesce(rating.volatility, 'NaN')"),
    "as_of": moment("coalesce(rating.as_of, ticket.waiting_since)"),
}


def believe(basis: Basis, found: Mapping[str, Column], now: datetime) -> tuple[Floats, Floats]:
    """Ratings and deviations as of now, of rows with `RATING_COLUMNS`; nan where the system has no deviation.

    Players without a rating have what everyone begins with; on a ladder without a track all are equal.
    """
    value, deviation, volatility = (found[name] for name in ("value", "deviation", "volatility"))
    system = basis.plan.system
    if basis.track is None or system is None:
        return np.zeros(len(value)), deviation
    initial, new = system.initial(1), np.isnan(value)
    value[new] = initial.value[0]
    if initial.deviation is None:
        return value, deviation
    deviation[new] = initial.deviation[0]
    if initial.volatility is not None:
        volatility[new] = initial.volatility[0]
    nothing = np.zeros(len(value), dtype=np.int64)
    known = None if initial.volatility is None else volatility
    ratings = Ratings(value, deviation, known, nothing, nothing)
    return value, _aged(basis.track, system, ratings, found["as_of"], now)


def _aged(
    track: RatingTrack, system: System, ratings: Ratings, as_of: Ints, now: datetime
) -> Floats:
    """Deviations have grown since they were computed, by the part of a period that has passed."""
    assert ratings.deviation is not None  # noqa: S101 - who has none is not asked
    if (calendar := calendar_of(track)) is None:
        return ratings.deviation
    idle = np.maximum(to_micros(now) - as_of, 0) / calendar.length_us
    aged = system.age(ratings, idle).deviation
    return ratings.deviation if aged is None else aged
