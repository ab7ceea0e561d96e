"""When the rating periods of a track begin and end. Whole microseconds, so that no rounding moves a match."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ratings.models import Match, MatchState, RatingTrack

__all__ = ["Calendar", "calendar_of", "fix_start", "start_of"]

_MICROSECOND = timedelta(microseconds=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Periods counted from 0: number n runs from start + n · length up to, but without, its end."""

    start: datetime
    length: timedelta

    def starts_at(self, number: int) -> datetime:
        """When period `number` begins: also the end of the one before it."""
        return self.start + number * self.length

    def ends_at(self, number: int) -> datetime:
        """When period `number` is over: the first moment that is not part of it."""
        return self.starts_at(number + 1)

    def number_at(self, moment: datetime) -> int:
        """Return the number of the period that `moment` falls into: also how many are over by then."""
        return max(0, (moment - self.start) // self.length)

    @property
    def length_us(self) -> int:
        """Length of a period in microseconds."""
        return self.length // _MICROSECOND


def calendar_of(track: RatingTrack) -> Calendar | None:
    """Return the track's periods; None for a track without, and before the first match."""
    if track.period_days is None or track.starts_at is None:
        return None
    return Calendar(track.starts_at, timedelta(days=track.period_days))


def start_of(track: RatingTrack, *, without: int | None = None) -> datetime | None:
    """Return when the periods of a track begin: with the first match that counts. None: no periods, or no match yet.

    Periods of a day and more begin at midnight UTC. `without`: as if the match of this id did not count.
    """
    if track.period_days is None:
        return None
    matches = Match.objects.filter(
        ladder_id=track.ladder_id, ladder_seq__isnull=False, state=MatchState.CONFIRMED
    )
    others = matches if without is None else matches.exclude(pk=without)
    first = others.order_by("ladder_seq").values_list("counts_at", flat=True).first()
    if first is None:
        return None
    moment = first.astimezone(UTC)
    if timedelta(days=track.period_days) >= _DAY:
        moment = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return moment


def fix_start(track: RatingTrack) -> None:
    """Let the periods begin with the first match that counts, if there is one now. Call under the ladder's lock."""
    if track.starts_at is None and (start := start_of(track)) is not None:
        track.starts_at = start
        track.save(update_fields=["starts_at"])
