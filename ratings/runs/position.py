"""The position of a track, and what is due on it: read under the ladder's lock in a short transaction of its own.

The format that the matches of its ladder have goes with it.
"""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.timekeeping import closing_time
from ratings.models import (
    DriftDate,
    Ladder,
    Match,
    MatchShape,
    ParameterVersion,
    RatedBy,
    RatingTrack,
    TrackState,
)
from ratings.runs.sequence import count_until, sequence_confirmed
from ratings.systems import System
from ratings.systems.drift import Drift
from ratings.tracks.parameters import system_of
from ratings.tracks.periods import Calendar, calendar_of, fix_start

__all__ = [
    "DUELS",
    "Chunk",
    "DueDrift",
    "Position",
    "RatedFormat",
    "Version",
    "chunk_after",
    "find_position",
    "format_of",
    "version_at",
    "versions_of",
]

# Matches of one against one of a transaction: about half a second of work, and some 100 MB at most. Of matches with
# more players there are fewer.
INSTANT_CHUNK = 50_000
PERIOD_CHUNK = 200_000
# What arrays of one against one cannot hold.
_OF_CONTESTS = frozenset({"score", "minutes"})
_ONE_AGAINST_ONE = MatchShape.exactly(2, 1)


@dataclass(frozen=True, slots=True)
class RatedFormat:
    """The shape of matches, and the columns that one must have to be rated."""

    shape: MatchShape = _ONE_AGAINST_ONE
    needs: frozenset[str] = frozenset()

    @property
    def most_players(self) -> int:
        """Players of the largest match."""
        return self.shape.most_players

    @property
    def are_duels(self) -> bool:
        """Whether matches are handed to the system as `Duels`: one against one, with nothing but points."""
        return self.most_players == 2 and not self.needs & _OF_CONTESTS


DUELS = RatedFormat()


def format_of(ladder: Ladder, system: System) -> RatedFormat:
    """Return the format in which a system gets the matches of a ladder."""
    return RatedFormat(ladder.shape, frozenset(system.needs))


@dataclass(frozen=True, slots=True)
class Version:
    """Parameters in force from an event on."""

    pk: int
    number: int
    applies_from: int
    system: System
    pool_minimum: int


@dataclass(frozen=True, slots=True)
class DueDrift:
    """The next date on which time takes or gives points: what a run has to rate before, and no further.

    event  number of the date in the sequence; with periods the number of the one at whose end it is
    """

    event: int
    at: datetime
    drift: Drift


@dataclass(frozen=True, slots=True)
class Position:
    """A track between two transactions. What is rated next follows from this and the sequence alone.

    rated_by  what the numbers of the sequence are: results, or events and the ends of their matches
    last_seq  highest sequence number that may be rated
    due       periods that are over; no match can count into them any more
    drift     the next date by which ratings drift, of those that are due
    drifted_periods, drifted_player
              behind how many periods ratings have drifted, and whom the date that is under way has come to
    """

    track_id: int
    ladder_id: int
    facet: str
    revision: int
    rated_seq: int
    closed_periods: int
    pool_grown_from: int | None
    calendar: Calendar | None
    match_format: RatedFormat
    versions: tuple[Version, ...]
    last_seq: int
    due: int
    rated_by: str = RatedBy.RESULTS
    drift: DueDrift | None = None
    drifted_periods: int = 0
    drifted_player: int = 0

    @property
    def is_behind(self) -> bool:
        """Whether something is due."""
        if self.calendar is None:
            return self.rated_seq < self.last_seq
        return self.closed_periods < self.due or self.drift is not None

    @property
    def is_drifting(self) -> bool:
        """Whether everything before the next drift is rated, so that it is its turn."""
        if self.drift is None:
            return False
        if self.calendar is None:
            return self.drift.event == self.rated_seq + 1
        return self.drift.event < self.closed_periods

    @property
    def rateable_seq(self) -> int:
        """Highest sequence number that may be rated before the next drift, without periods."""
        return self.last_seq if self.drift is None else self.drift.event - 1

    @property
    def closable(self) -> int:
        """How many periods are closed once those before the next drift are."""
        return self.due if self.drift is None else self.drift.event + 1

    def drifted_with(self, closed: int) -> int:
        """Behind how many periods ratings have drifted once so many are closed: all, unless one is due."""
        return closed if self.drift is None else min(closed, self.drift.event)

    def version_at(self, event: int) -> Version:
        """Return the version in force for a sequence number or period."""
        return version_at(self.versions, event)


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one transaction rates: sequence numbers above `after` up to `last`, periods up to `closed`."""

    after: int
    last: int
    closed: int


@transaction.atomic
def find_position(track_id: int, *, until: datetime | None) -> Position:
    """Fix what is due by `until` (now): after this no match can count into a period that is over.

    Sequences what is confirmed first; no period ends by a clock that jumped. Waits for the ladder's lock. On a track
    that was replaced nothing is due. Raises RatingTrack.DoesNotExist for one that was even deleted since.
    """
    ladder_id = RatingTrack.objects.values_list("ladder_id", flat=True).get(pk=track_id)
    hold_firmly(Lock.LADDER, ladder_id)
    sequence_confirmed(ladder_id)
    track = RatingTrack.objects.select_related("ladder").get(pk=track_id)
    versions = versions_of(track)
    due, last_seq, calendar = 0, track.rated_seq, None
    is_rated = track.state != TrackState.RETIRED
    if track.period_days is None:
        if is_rated:
            last_seq = _last_seq_before(ladder_id, until) if until else track.ladder.last_seq
    else:
        if is_rated:
            fix_start(track)
        due, calendar = track.closed_periods, calendar_of(track)
        if is_rated and calendar is None:  # no match yet, so no period has begun
            due, last_seq = 0, 0
        elif is_rated and calendar is not None:
            due = calendar.number_at(min(until, closing_time()) if until else closing_time())
            if due > track.closed_periods:
                count_until(ladder_id=ladder_id, moment=calendar.starts_at(due))
            last_seq = _last_seq_before(ladder_id, calendar.starts_at(due))
    last_seq = max(track.rated_seq, last_seq)
    return Position(
        track_id=track.pk,
        ladder_id=track.ladder_id,
        facet=track.facet,
        revision=track.revision,
        rated_seq=track.rated_seq,
        closed_periods=track.closed_periods,
        pool_grown_from=track.pool_grown_from,
        calendar=calendar,
        match_format=format_of(track.ladder, versions[0].system),
        versions=versions,
        last_seq=last_seq,
        due=due,
        rated_by=track.ladder.rated_by,
        drift=_due_drift(track, versions, calendar, last_seq=last_seq, due=due),
        drifted_periods=track.drifted_periods,
        drifted_player=track.drifted_player,
    )


def _due_drift(
    track: RatingTrack,
    versions: tuple[Version, ...],
    calendar: Calendar | None,
    *,
    last_seq: int,
    due: int,
) -> DueDrift | None:
    """Find the next date by which ratings drift, up to a number of the sequence, or of periods."""
    if not any(version.system.drift for version in versions):
        return None
    if track.period_days is None:
        dates = DriftDate.objects.filter(
            ladder=track.ladder_id, seq__gt=track.rated_seq, seq__lte=last_seq
        )
        for seq, at in dates.order_by("seq").values_list("seq", "at").iterator():
            if drift := version_at(versions, seq).system.drift:
                return DueDrift(seq, at, drift)
        return None
    # The first period with drift: each version applies up to where a later one does.
    for index, version in enumerate(versions):
        number = max(track.drifted_periods, version.applies_from)
        end = min((later.applies_from for later in versions[index + 1 :]), default=due)
        if calendar is not None and number < min(end, due) and version.system.drift:
            return DueDrift(number, calendar.ends_at(number), version.system.drift)
    return None


def versions_of(track: RatingTrack) -> tuple[Version, ...]:
    """Return all versions of the track's parameters, oldest first."""
    rows = ParameterVersion.objects.filter(track=track).select_related("track").order_by("number")
    return tuple(
        Version(
            pk=row.pk,
            number=row.number,
            applies_from=row.applies_from,
            system=system_of(row, track.period_days),
            pool_minimum=row.parameters["pool_minimum"],
        )
        for row in rows
    )


def version_at(versions: tuple[Version, ...], event: int) -> Version:
    """Return the version in force for a sequence number or period: the newest that applies."""
    return next(version for version in reversed(versions) if version.applies_from <= event)


def chunk_after(position: Position) -> Chunk:
    """Choose what the next transaction rates: whole periods, several while they are small."""
    after, calendar = position.rated_seq, position.calendar
    if calendar is None:
        most = _at_once(INSTANT_CHUNK, position)
        return Chunk(after, min(after + most, position.rateable_seq), 0)
    most, due, last_seq = _at_once(PERIOD_CHUNK, position), position.closable, position.last_seq
    if due < position.due:
        last_seq = max(after, _last_seq_before(position.ladder_id, calendar.starts_at(due)))
    if last_seq - after <= most:
        return Chunk(after, last_seq, due)
    first = _counts_at(position.ladder_id, after + 1) or calendar.start
    beyond = _counts_at(position.ladder_id, after + most + 1) or calendar.start
    closed = max(calendar.number_at(beyond), calendar.number_at(first) + 1)
    return Chunk(after, _last_seq_before(position.ladder_id, calendar.starts_at(closed)), closed)


def _at_once(duels: int, position: Position) -> int:
    """As many matches as have the players of so many duels, at least one."""
    return max(1, duels * 2 // position.match_format.most_players)


def _counts_at(ladder_id: int, seq: int) -> datetime | None:
    """Return the time for which the first match from this number on counts."""
    beyond = Match.objects.filter(ladder=ladder_id, ladder_seq__gte=seq).order_by("ladder_seq")
    return beyond.values_list("counts_at", flat=True).first()


def _last_seq_before(ladder_id: int, moment: datetime) -> int:
    """Return the last sequence number that counts for a time before `moment`; 0 when there is none.

    Times grow with the sequence, so halving finds it with two dozen looks into the index.
    """

    def is_later(seq: int) -> bool:
        found = _counts_at(ladder_id, seq)
        return found is None or found >= moment

    last = Ladder.objects.values_list("last_seq", flat=True).get(pk=ladder_id)
    return bisect_right(range(1, last + 1), False, key=is_later)
