"""Opening periods that a clock which ran ahead has closed, so that matches count in their own time again."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Count, Exists, F, Min, OuterRef
from django.db.models.functions import Least

from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.timekeeping import AHEAD, closing_time
from ratings.models import (
    DRIFT_KINDS,
    DriftDate,
    Ladder,
    ParameterVersion,
    Rating,
    RatingChange,
    RatingTrack,
    TrackState,
)
from ratings.runs.replay import replay_periods, replay_track
from ratings.tracks.drift import plan_drift
from ratings.tracks.periods import calendar_of

__all__ = ["DatedAhead", "Reopened", "dated_ahead", "ladders_ahead", "reopen"]

# In the order of the sequence the time that matches count for may not fall.
_PUT_RIGHT = """
WITH before AS (
    SELECT max(counts_at) AS last FROM ratings_match
    WHERE ladder_id = %(ladder)s AND ladder_seq IS NOT NULL AND counts_at <= %(now)s
), right_time AS (
    SELECT match.id, greatest(
        before.last, max(least(match.confirmed_at, %(now)s)) OVER (ORDER BY match.ladder_seq)) AS at
    FROM ratings_match AS match, before
    WHERE match.ladder_id = %(ladder)s AND match.ladder_seq IS NOT NULL AND match.counts_at > %(now)s
)
UPDATE ratings_match AS match
SET counts_at = right_time.at, confirmed_at = least(match.confirmed_at, %(now)s),
    played_at = least(match.played_at, %(now)s), ended_at = least(match.ended_at, %(now)s)
FROM right_time WHERE match.id = right_time.id
"""
_LAST = "SELECT max(counts_at) FROM ratings_match WHERE ladder_id = %(ladder)s AND ladder_seq IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Reopened:
    """What was put right on a ladder: matches that counted in the future, tracks whose periods are closed anew, and
    those that time has moved ahead of it.
    """

    ladder: Ladder
    counted_until: datetime
    matches: int
    replays: list[int]


def ladders_ahead() -> list[Ladder]:
    """Ladders on which matches count in the future: every later one would have to as well."""
    return list(Ladder.objects.filter(counted_until__gt=closing_time() + AHEAD).order_by("pk"))


@dataclass(frozen=True, slots=True)
class DatedAhead:
    """A live track without periods, how many changes in its ledger have a time that has not come yet, and the first."""

    track: RatingTrack
    changes: int
    first: datetime


def dated_ahead() -> list[DatedAhead]:
    """Tracks that rated what came in while the clock ran ahead, and are not being rated anew already."""
    running = RatingTrack.objects.filter(state=TrackState.REPLAY, replaces=OuterRef("track"))
    late = RatingChange.objects.filter(
        ~Exists(running),
        at__gt=closing_time() + AHEAD,
        track__state=TrackState.LIVE,
        track__period_days=None,
    ).order_by("track")
    found = late.values_list("track").annotate(changes=Count("pk"), first=Min("at"))
    return [
        DatedAhead(RatingTrack.objects.select_related("ladder").get(pk=pk), changes, first)
        for pk, changes, first in found
    ]


@transaction.atomic
def reopen(ladder_id: int) -> Reopened | None:
    """Let matches of a ladder count in the present again; None where nothing was ahead.

    Tracks with periods are rated anew from the first match, beside what is shown until they are done: their closed
    periods lacked matches that came later. For tracks without periods see `dated_ahead`; they are rated anew here where
    dates of decay or inflation have come ahead of their time.
    """
    hold_firmly(Lock.LADDER, ladder_id)
    now, ladder = closing_time(), Ladder.objects.get(pk=ladder_id)
    if ladder.counted_until is None or ladder.counted_until <= now + AHEAD:
        return None
    was = ladder.counted_until
    with connection.cursor() as cursor:
        cursor.execute(_PUT_RIGHT, {"ladder": ladder_id, "now": now})
        matches = int(cursor.rowcount)
        cursor.execute(_LAST, {"ladder": ladder_id})
        ladder.counted_until = cursor.fetchone()[0]
    ladder.save(update_fields=["counted_until"])
    tracks = RatingTrack.objects.filter(ladder=ladder_id)
    # Runs that have read the old times start over.
    tracks.update(revision=F("revision") + 1)
    Rating.objects.filter(track__in=tracks, last_played_at__gt=now).update(
        last_played_at=now, as_of=Least("as_of", now)
    )
    replays = replay_periods(ladder_id=ladder_id)
    for replay in RatingTrack.objects.filter(pk__in=replays):
        calendar = calendar_of(replay)
        if calendar is not None:
            # Parameters that were changed meanwhile apply from the period that is open.
            open_now = calendar.number_at(now)
            ParameterVersion.objects.filter(track=replay, applies_from__gt=open_now).update(
                applies_from=open_now
            )
    return Reopened(ladder, was, matches, [*replays, *_without_dates_ahead(ladder_id, now)])


def _without_dates_ahead(ladder_id: int, now: datetime) -> list[int]:
    """Let dates that have not come yet be none, and plan the next; ids of the replays of what they have moved."""
    DriftDate.objects.filter(ladder=ladder_id, at__gt=now).delete()
    plan_drift(ladder_id, anew=True)
    moved = RatingChange.objects.filter(track=OuterRef("pk"), kind__in=DRIFT_KINDS, at__gt=now)
    tracks = RatingTrack.objects.filter(
        Exists(moved), ladder=ladder_id, state=TrackState.LIVE, period_days=None
    )
    return [replay_track(track=track).pk for track in tracks.order_by("pk")]
