"""What a track expected of each match before it was rated: read back from the ledger."""

from dataclasses import dataclass

import numpy as np

from foundation.bulk import fetch_columns, real, to_micros, whole
from ratings.models import RatingTrack
from ratings.periods import calendar_of
from ratings.running.duels import DuelMatches
from ratings.running.loading import Matches, load_matches
from ratings.running.position import Version, version_at, versions_of
from ratings.running.shape import shape_of
from ratings.running.teams import TeamMatches
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
    """Rated matches in the ladder's sequence; every array has length m.

    Of two teams there is one element a match, of team 0. Of more there is one a team, each with the mean of its
    scores against the others.

    match      int64, primary key
    predicted  float64, the score expected from the ratings before the event: for periods with deviations as aged to
               the period's start
    actual     float64, the score reached: 1, 0.5, 0, or the mean of several
    """

    match: Ints
    predicted: Floats
    actual: Floats

    def __len__(self) -> int:
        return len(self.match)

    def later(self, share: float) -> "Predictions":
        """Return those after the first `share` of them: 0.5 gives the second half."""
        start = int(len(self) * share)
        return Predictions(self.match[start:], self.predicted[start:], self.actual[start:])


def read_predictions(track: RatingTrack) -> Predictions:
    """Read the one-step-ahead predictions of all matches that the track has rated."""
    versions = versions_of(track)
    shape = shape_of(track.ladder, versions[0].system)
    matches = load_matches(track.ladder_id, after=0, last=track.rated_seq, shape=shape)
    events, cause, source = _events(track, matches)
    applied = matches.seq if track.period_days is None else events
    stretches = _stretches(versions, applied)
    book = _Book.read(track, cause, source)
    if isinstance(matches, DuelMatches):
        return _of_duels(matches, events, book, stretches)
    return _of_teams(matches, events, book, stretches)


@dataclass(frozen=True, slots=True, eq=False)
class _Book:
    """The ledger's rows, found by event and player."""

    before: Ratings
    causes: Ints
    width: int
    keys: Ints
    order: Ints

    @classmethod
    def read(cls, track: RatingTrack, cause: str, source: str) -> "_Book":
        found = fetch_columns({**_BEFORE, "cause": whole(cause)}, source, {"track": track.pk})
        causes = np.unique(found["cause"])
        # A row is found by its event and player; both fit in one number.
        width = int(np.max(found["player"], initial=0)) + 1
        key = np.searchsorted(causes, found["cause"]) * width + found["player"]
        order = np.argsort(key)
        before = _ratings(found["value"], found["deviation"])
        return cls(before, causes, width, key[order], order)

    def places(self, events: Ints, players: Ints) -> Ints:
        """Where the rows of these players stand in `before`."""
        keys = np.searchsorted(self.causes, events) * self.width + players
        found: Ints = self.order[np.searchsorted(self.keys, keys)]
        return found


_Stretches = list[tuple[Version, int, int]]


def _of_duels(
    matches: DuelMatches, events: Ints, book: _Book, stretches: _Stretches
) -> Predictions:
    first, second = (book.places(events, side) for side in (matches.first, matches.second))
    predicted = np.empty(len(matches))
    for version, start, stop in stretches:
        part = slice(start, stop)
        predicted[part] = version.system.expected(
            book.before, first[part], second[part], matches.side[part]
        )
    return Predictions(matches.id, predicted, matches.score)


def _of_teams(
    matches: TeamMatches, events: Ints, book: _Book, stretches: _Stretches
) -> Predictions:
    contests = matches.contests(book.places(np.repeat(events, matches.each), matches.player))
    expected = np.empty(len(matches.player))
    for version, start, stop in stretches:
        rows = slice(start * matches.each, stop * matches.each)
        expected[rows] = version.system.expected_of(book.before, contests.part(start, stop))
    of_team = np.flatnonzero(np.diff(matches.team, prepend=-1))  # the first row of each team
    teams = int(np.max(matches.team, initial=1)) + 1
    rank = matches.rank[of_team].reshape(-1, teams)
    predicted = expected[of_team].reshape(-1, teams)
    actual = _mean_scores(rank)
    if teams == 2:
        return Predictions(matches.id, predicted[:, 0], actual[:, 0])
    return Predictions(np.repeat(matches.id, teams), predicted.ravel(), actual.ravel())


def _mean_scores(rank: Ints) -> Floats:
    """The mean of 1, ½, 0 of each team against each other one; `rank` has one row a match."""
    ahead = (rank[:, :, None] < rank[:, None, :]).sum(axis=2)
    level = (rank[:, :, None] == rank[:, None, :]).sum(axis=2) - 1  # not against itself
    scores: Floats = (ahead + level / 2) / (rank.shape[1] - 1)
    return scores


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
