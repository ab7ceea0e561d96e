"""How far a track is: what it has not rated yet, and what is due next."""

from dataclasses import dataclass
from datetime import datetime

from ratings.models import RatingTrack
from ratings.tracks.periods import calendar_of

__all__ = ["TrackProgress", "progress_of"]


@dataclass(frozen=True, slots=True)
class TrackProgress:
    """Where a track stands: matches it has not rated, and when its open period ends (None: no period)."""

    track: RatingTrack
    backlog: int
    next_due: datetime | None
    is_behind: bool


def progress_of(track: RatingTrack, *, now: datetime) -> TrackProgress:
    """Compare the track with its ladder; `track.ladder` should be loaded.

    A track with periods is behind when a period is over and not closed; one without, when a match waits.
    """
    backlog = track.ladder.last_seq - track.rated_seq
    calendar = calendar_of(track)
    next_due = calendar.ends_at(track.closed_periods) if calendar else None
    behind = backlog > 0 if next_due is None else next_due <= now
    return TrackProgress(track=track, backlog=backlog, next_due=next_due, is_behind=behind)
