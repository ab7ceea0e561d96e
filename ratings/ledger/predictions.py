"""What a track expected of each match before it was rated: read back from the ledger."""

from dataclasses import dataclass

import numpy as np

from ratings.ledger.rated import read_rated
from ratings.models import RatingTrack
from ratings.runs.match_arrays import DuelMatches
from ratings.systems.arrays import Floats, Ints

__all__ = ["TrackPredictions", "read_predictions"]

_RANKS = 255  # the highest that a run reads


@dataclass(frozen=True, slots=True, eq=False)
class TrackPredictions:
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

    def later(self, share: float) -> "TrackPredictions":
        """Return those after the first `share` of them: 0.5 gives the second half."""
        start = int(len(self) * share)
        return TrackPredictions(self.match[start:], self.predicted[start:], self.actual[start:])


def read_predictions(track: RatingTrack) -> TrackPredictions:
    """Read the one-step-ahead predictions of all matches that the track has rated."""
    rated = read_rated(track)
    matches = rated.matches
    if isinstance(matches, DuelMatches):
        first, second = rated.before_rows[: len(matches)], rated.before_rows[len(matches) :]
        predicted = np.empty(len(matches))
        for stretch in rated.stretches:
            part = slice(stretch.start, stretch.stop)
            predicted[part] = stretch.version.system.expected(
                rated.before, first[part], second[part], matches.side[part]
            )
        return TrackPredictions(matches.id, predicted, matches.score)
    contests = matches.contests(rated.before_rows)
    expected = np.empty(len(matches.player))
    for stretch in rated.stretches:
        rows = slice(matches.starts[stretch.start], matches.starts[stretch.stop])
        expected[rows] = stretch.version.system.expected_of(
            rated.before, contests.part(stretch.start, stretch.stop)
        )
    # The first row of each team: where the team is another, or the match.
    match = matches.match
    of_team = np.flatnonzero(
        (np.diff(matches.team, prepend=-1) != 0) | (np.diff(match, prepend=-1) != 0)
    )
    predicted, match, rank = expected[of_team], match[of_team], matches.rank[of_team]
    teams = np.bincount(match, minlength=len(matches))
    # The mean of 1, ½, 0 of each team against each other one: how many of its match are behind it, or level with it.
    key = match * (_RANKS + 1) + rank
    in_order = np.sort(key)
    behind = np.cumsum(teams)[match] - np.searchsorted(in_order, key, side="right")
    level = np.searchsorted(in_order, key, side="right") - np.searchsorted(in_order, key) - 1
    actual = (behind + level / 2) / (teams[match] - 1)
    if np.max(teams, initial=2) == 2:
        return TrackPredictions(matches.id, predicted[::2], actual[::2])
    return TrackPredictions(matches.id[match], predicted, actual)
