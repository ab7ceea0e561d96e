"""What a track expected of each match before it was rated: read back from the ledger."""

from dataclasses import dataclass

import numpy as np

from foundation.bulk import fetch_columns, real, to_micros, whole
from ratings.models import RatingTrack
from ratings.periods import calendar_of
from ratings.running.loading import Matches, load_matches
from ratings.running.position import Version, version_at, versions_of
from ratings.systems import Ratings
from ratings.systems.arrays import Floats, Ints

__all__ = ["Predictions", "read_predictions"]

_BEFORE = {
    "player": whole("change.player_id"),
    "value": real("change.value_before"),
    "deviation": real("coalesce(change.deviation_before, 0)"),
}
_OF_PERIODS = (
    "ratings_ratingchange AS change JOIN ratings_ratingperiod AS period ON period.id = change.period_id"
    " WHERE change.track_id = %(track)s"
)
_OF_MATCHES = (
    "ratings_ratingchange AS change WHERE change.track_id = %(track)s AND change.kind = 'match'"
)


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """m rated matches in the ladder's sequence; every array has length m.

    match      int64, primary key
    predicted  float64, the score expected of the player in team 0, from the ratings before the event: for
               periods with deviations as aged to the period's start
    actual     float64, the score reached: 1, 0.5, 0
    """

    match: Ints
    predicted: Floats
    actual: Floats

    def __len__(self) -> int:
        return len(self.match)

    def later(self, share: float) -> "Predictions":
        """Return those after the first `share` of the matches: 0.5 gives the second half."""
        start = int(len(self) * share)
        return Predictions(self.match[start:], self.predicted[start:], self.actual[start:])


def read_predictions(track: RatingTrack) -> Predictions:
    """Read the one-step-ahead predictions of all matches that the track has rated."""
    matches = load_matches(track.ladder_id, after=0, last=track.rated_seq)
    events, cause, source = _events(track, matches)
    found = fetch_columns({**_BEFORE, "cause": whole(cause)}, source, {"track": track.pk})
    # A ledger row is found by its event and player; both fit in one number.
    width = int(np.max(found["player"], initial=0)) + 1
    event = np.searchsorted(np.unique(found["cause"]), found["cause"])
    own = np.searchsorted(np.unique(found["cause"]), events)
    order = np.argsort(event * width + found["player"])
    keys = (event * width + found["player"])[order]
    first, second = (
        order[np.searchsorted(keys, own * width + side)] for side in (matches.first, matches.second)
    )
    before = _ratings(found["value"], found["deviation"])
    predicted = np.empty(len(matches))
    applied = matches.seq if track.period_days is None else events
    for version, start, stop in _stretches(versions_of(track), applied):
        predicted[start:stop] = version.system.expected(
            before, first[start:stop], second[start:stop]
        )
    return Predictions(matches.id, predicted, matches.score)


def _events(track: RatingTrack, matches: Matches) -> tuple[Ints, str, str]:
    """Event of each match, the column that names it in the ledger, and where to read that."""
    calendar = calendar_of(track)
    if calendar is None:
        return matches.id, "change.match_id", _OF_MATCHES
    numbers = (matches.counts_at - to_micros(calendar.start)) // calendar.length_us
    return np.maximum(numbers, 0), "period.number", _OF_PERIODS


def _ratings(value: Floats, deviation: Floats) -> Ratings:
    """Ratings of ledger rows. Expectation asks neither for games nor for volatility."""
    nothing = np.zeros(len(value), dtype=np.int64)
    return Ratings(value, deviation, None, nothing, nothing)


def _stretches(versions: tuple[Version, ...], events: Ints) -> list[tuple[Version, int, int]]:
    """Each stretch of matches under one version. Events grow with the sequence."""
    bounds = sorted({version.applies_from for version in versions})
    starts = np.searchsorted(events, bounds).tolist()
    stops = [*starts[1:], len(events)]
    return [
        (version_at(versions, bound), start, stop)
        for bound, start, stop in zip(bounds, starts, stops, strict=True)
    ]
