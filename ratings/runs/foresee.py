"""What a track's ratings would be if its matches said something else: rated in memory, written nowhere."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from django.db import transaction

from ratings.models import RatingTrack
from ratings.runs.compute import rate_matches, rate_periods
from ratings.runs.load import load_matches
from ratings.runs.match_arrays import Matches
from ratings.runs.position import Chunk, Position, format_of, versions_of
from ratings.runs.track_ratings import TrackRatings
from ratings.systems.arrays import Floats, Ints
from ratings.tracks.periods import calendar_of

__all__ = ["MOST_FORESEEN", "Foreseen", "foresee", "from_the_start"]

# About two seconds of work for a page that somebody waits for.
MOST_FORESEEN = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Foreseen:
    """Ratings of a track as they are and as they would be; every array has length n.

    player         ids of all who are rated either way, ascending
    before, after  ratings in points; of who is not rated then the one that new players have
    """

    player: Ints
    before: Floats
    after: Floats


def foresee(track: RatingTrack, alter: Callable[[], object]) -> Foreseen | None:
    """Rate what the track has rated twice: as it stands, and after `alter` has changed rows, which is taken back.

    The track rates players as a whole, and its ladder was read with it. None where it has rated more than
    `MOST_FORESEEN` matches. Raises UnratableMatchError where what stands there cannot be rated.
    """
    if track.rated_seq > MOST_FORESEEN:
        return None
    position = from_the_start(track)

    def load() -> Matches:
        return load_matches(
            track.ladder_id,
            after=0,
            last=track.rated_seq,
            match_format=position.match_format,
        )

    present = load()
    with transaction.atomic():
        alter()
        altered = load()
        transaction.set_rollback(True)
    players = np.union1d(present.players, altered.players)
    before, after = (_rate(position, players, matches) for matches in (present, altered))
    return Foreseen(players, before, after)


def from_the_start(track: RatingTrack) -> Position:
    """The position of a run that would rate all that the track has rated. Its ladder was read with it."""
    versions = versions_of(track)
    return Position(
        track_id=track.pk,
        ladder_id=track.ladder_id,
        facet=track.facet,
        revision=track.revision,
        rated_seq=0,
        closed_periods=0,
        pool_grown_from=None,
        calendar=calendar_of(track),
        match_format=format_of(track.ladder, versions[0].system),
        versions=versions,
        last_seq=track.rated_seq,
        due=track.closed_periods,
    )


def _rate(position: Position, players: Ints, matches: Matches) -> Floats:
    """The ratings of these players once all the matches are rated."""
    chunk = Chunk(0, position.last_seq, position.due)
    state = TrackRatings.blank(players, position.version_at(1).system)
    matches = matches.with_positions(players)
    if position.calendar is None:
        rate_matches(position, chunk, state, matches)
    else:
        rate_periods(position, chunk, state, matches, lambda _matches, _periods: None)
    return state.value
