"""Rated matches with the ratings that everyone had before each: read back from the ledger."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foundation.postgresql.bulk import fetch_columns, real, to_micros, whole
from ratings.models import RatingTrack
from ratings.runs.load import load_matches
from ratings.runs.match_arrays import DuelMatches, Matches
from ratings.runs.position import Version, format_of, version_at, versions_of
from ratings.systems import Ratings
from ratings.systems.arrays import Ints
from ratings.tracks.facets import Facets, find_facets
from ratings.tracks.periods import calendar_of

__all__ = ["Rated", "Stretch", "read_rated"]

_BEFORE = {
    "value": real("change.value_before"),
    "deviation": real("coalesce(change.deviation_before, 0)"),
}
_OF_PERIODS = (
    "ratings_ratingchange AS change JOIN ratings_ratingperiod AS period ON period.id = change.period_id"
    " WHERE change.track_id = %(track)s AND period.last_seq > %(after)s"
)
_OF_MATCHES = (
    "ratings_ratingchange AS change WHERE change.track_id = %(track)s AND change.kind = 'match'"
    " AND change.match_id >= %(lowest)s"
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Matches from `start` on, before `stop`, under one version of the parameters."""

    version: Version
    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """Matches in the ladder's sequence.

    before       rows of the ledger, in no order: for periods with deviations as aged to the period's start
    before_rows  rows of `before`, one for each who took part: of duels all first players, then all second ones
    """

    matches: Matches
    before: Ratings
    before_rows: Ints
    stretches: list[Stretch]


def read_rated(track: RatingTrack, *, after: int = 0) -> Rated:
    """Read the matches above a sequence number that the track has rated: three queries, one more with facets."""
    versions = versions_of(track)
    match_format = format_of(track.ladder, versions[0].system)
    stretch = {"after": after, "last": track.rated_seq}
    facets = find_facets(track.facet, ladder_id=track.ladder_id, track_id=None, **stretch)
    matches = load_matches(track.ladder_id, match_format=match_format, facets=facets, **stretch)
    # What names the event of each match in the ledger: the match's id, or the number of its period.
    events, calendar = matches.id, calendar_of(track)
    if calendar is not None:
        numbers = (matches.counts_at - to_micros(calendar.start)) // calendar.length_us
        events = np.maximum(numbers, 0)
    rows = _LedgerRows.read(track, matches, facets, after)
    if isinstance(matches, DuelMatches):
        before_rows = rows.find(np.tile(events, 2), matches.players)
    else:
        before_rows = rows.find(np.repeat(events, matches.sizes), matches.players)
    # Each stretch of matches under one version. Sequence numbers and periods grow with the sequence.
    applied = matches.seq if track.period_days is None else events
    bounds = sorted({version.applies_from for version in versions})
    starts = np.searchsorted(applied, bounds).tolist()
    stops = [*starts[1:], len(applied)]
    stretches = [
        Stretch(version_at(versions, bound), start, stop)
        for bound, start, stop in zip(bounds, starts, stops, strict=True)
    ]
    return Rated(matches, rows.before, before_rows, stretches)


@dataclass(frozen=True, slots=True, eq=False)
class _LedgerRows:
    """The ledger's rows, found by event and competitor: the player where nothing is rated apart."""

    before: Ratings
    causes: Ints
    width: int
    keys: Ints
    order: Ints

    @classmethod
    def read(
        cls, track: RatingTrack, matches: Matches, facets: Facets, after: int
    ) -> "_LedgerRows":
        by_match = track.period_days is None
        cause = "change.match_id" if by_match else "period.number"
        source = _OF_MATCHES if by_match else _OF_PERIODS
        if facets.kind:  # other values are of matches that are not read
            source += " AND change.facet = ANY(%(facets)s)"
        parameters: dict[str, Any] = {
            "track": track.pk,
            "after": after,
            "lowest": int(matches.id.min()) if len(matches) else 0,
            **facets.parameters,
        }
        columns = {
            "player": facets.competitor("change.player_id", "change.facet"),
            "cause": whole(cause),
            **_BEFORE,
        }
        found = fetch_columns(columns, source, parameters)
        causes = np.unique(found["cause"])
        # A row is found by its event and player; both fit in one number.
        width = int(np.max(found["player"], initial=0)) + 1
        key = np.searchsorted(causes, found["cause"]) * width + found["player"]
        order = np.argsort(key)
        before = Ratings.without_games(found["value"], found["deviation"])
        return cls(before, causes, width, key[order], order)

    def find(self, events: Ints, players: Ints) -> Ints:
        """Where the rows of these players stand in `before`."""
        keys = np.searchsorted(self.causes, events) * self.width + players
        found: Ints = self.order[np.searchsorted(self.keys, keys)]
        return found
