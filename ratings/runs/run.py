"""Rating runs: bring a track up to what is confirmed. Correct when killed, doubled, or run at once."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import count

import structlog
from django.conf import settings
from django.db.models import F, Q

from foundation.metrics import MATCHES_RATED, RUN_SECONDS
from foundation.postgresql.lease import SessionLease
from foundation.timekeeping import closing_time
from ratings.models import RatedBy, RatingTrack, TrackState
from ratings.runs.compute import RatedChunk, rate_matches, rate_periods
from ratings.runs.drift import let_drift
from ratings.runs.events import chunk_of_events, rate_events
from ratings.runs.load import load_matches, load_state
from ratings.runs.position import Position, chunk_after, find_position
from ratings.runs.replay import finish_replay
from ratings.runs.write import StalePositionError, commit
from ratings.runs.write_events import commit_events
from ratings.tracks.facets import find_facets
from ratings.tracks.periods import calendar_of

__all__ = [
    "RunProgress",
    "RunReport",
    "due_replays",
    "due_tracks",
    "extend_lease",
    "hold_lease",
    "rate_track",
]

log = structlog.get_logger(__name__)

# Which session rates a track now, so that others neither repeat its work nor wait for a dead one.
_LEASE = SessionLease("ratings_ratingrun", key="track_id", event="run.overdue_ended")


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run has brought a track: matches rated, of how many; periods closed, of how many."""

    matches: int
    of_matches: int
    periods: int
    of_periods: int


@dataclass(frozen=True, slots=True)
class RunReport:
    """What one call of `rate_track` did: matches rated, periods closed, ratings written, seconds.

    `has_more` is true when it stopped at its limit of transactions with something still due.
    """

    matches: int
    periods: int
    players: int
    seconds: float
    has_more: bool = False


OnProgress = Callable[[RunProgress], None]


def due_tracks() -> list[int]:
    """Ids of the live tracks on which something is due: decided by their rows and the clock alone."""
    is_instant, live = Q(period_days__isnull=True), Q(state=TrackState.LIVE)
    behind = RatingTrack.objects.filter(live, ladder__last_seq__gt=F("rated_seq"))
    ids = set(behind.filter(is_instant | Q(starts_at__isnull=True)).values_list("pk", flat=True))
    now = closing_time()
    for track in RatingTrack.objects.filter(~is_instant, live, starts_at__isnull=False):
        calendar = calendar_of(track)
        is_drifting = track.drifted_periods < track.closed_periods
        if calendar and (is_drifting or calendar.number_at(now) > track.closed_periods):
            ids.add(track.pk)
    return sorted(ids)


def due_replays() -> list[int]:
    """Ids of the replays under way, those of shown tracks first. They are due until they have switched."""
    replays = RatingTrack.objects.filter(state=TrackState.REPLAY)
    return list(replays.order_by("-replaces__shown", "pk").values_list("pk", flat=True))


def rate_track(
    track_id: int,
    *,
    until: datetime | None = None,
    on_progress: OnProgress | None = None,
    wait: bool = True,
    at_most: int | None = None,
) -> RunReport:
    """Rate everything that is due on a track by `until` (now), a transaction at a time, `at_most` so many of them.

    Each transaction is computed from a snapshot without any lock, and committed whole under the ladder's lock if
    nothing has changed since; else it is computed again. A replay that has caught up with now takes its place.
    With `wait` off it leaves a track that another rates already alone. Raises UnratableMatchError.
    """
    began, matches, periods, players, has_more = time.monotonic(), 0, 0, 0, False
    with hold_lease(track_id, wait=wait) as is_held, suppress(RatingTrack.DoesNotExist):
        for step in count() if is_held else ():
            extend_lease(track_id)
            position = find_position(track_id, until=until)
            if not position.is_behind:
                extend_lease(track_id, matches=position.last_seq)
                if until is not None or finish_replay(track_id):
                    break
                continue
            if has_more := at_most is not None and step >= at_most:
                break
            with suppress(StalePositionError):
                if position.drift is not None and position.is_drifting:
                    players += let_drift(position, position.drift)
                    continue
                if position.rated_by == RatedBy.EVENTS:
                    matches += _rate_events(position, on_progress)
                    continue
                rated = _rate_chunk(position, on_progress)
                matches += rated.matches
                periods += rated.closed_periods - position.closed_periods
                players += rated.players
    return RunReport(matches, periods, players, time.monotonic() - began, has_more)


def hold_lease(track_id: int, *, wait: bool) -> AbstractContextManager[bool]:
    """Hold the lease of a track inside the block; gives False when another has it and `wait` is off."""
    return _LEASE.held(track_id, seconds=settings.RATING_RUN_DEADLINE, wait=wait)


def extend_lease(track_id: int, *, matches: int = 0) -> None:
    """Move the deadline on before the next step, the further the more matches it handles."""
    _LEASE.extend(track_id, seconds=settings.RATING_RUN_DEADLINE + matches / 10_000)


def _rate_events(position: Position, on_progress: OnProgress | None) -> int:
    """Compute and commit the next chunk of events; how many matches it has ended. StalePositionError as below."""
    began, track_id = time.monotonic(), position.track_id
    chunk = chunk_of_events(position)
    rated = rate_events(position, chunk)
    extend_lease(track_id, matches=rated.events)
    commit_events(position, rated)
    if on_progress is not None:
        on_progress(RunProgress(chunk.last, position.last_seq, 0, 0))
    seconds, system = time.monotonic() - began, position.versions[0].system.name
    MATCHES_RATED.labels(system).inc(len(rated.ended))
    RUN_SECONDS.labels(system).observe(seconds)
    log.info(
        "run.committed",
        track=track_id,
        revision=position.revision + 1,
        events=rated.events,
        matches=len(rated.ended),
        seconds=round(seconds, 3),
    )
    return len(rated.ended)


def _rate_chunk(position: Position, on_progress: OnProgress | None) -> RatedChunk:
    """Compute and commit the next chunk. Raises StalePositionError when another was first."""
    began, track_id = time.monotonic(), position.track_id
    system, chunk = position.versions[0].system.name, chunk_after(position)
    log.info("run.started", track=track_id, revision=position.revision, **asdict(chunk))

    def report(matches: int, closed: int) -> None:
        if on_progress is not None:
            done = position.rated_seq + matches
            on_progress(RunProgress(done, position.last_seq, closed, position.due))

    # Load what the chunk needs and rate it; nothing is written or locked.
    report(0, position.closed_periods)
    extend_lease(track_id, matches=chunk.last - chunk.after)
    everyone = position.calendar is not None or position.pool_grown_from is None
    stretch = {"after": chunk.after, "last": chunk.last}
    facets = find_facets(
        position.facet,
        ladder_id=position.ladder_id,
        track_id=track_id if everyone else None,
        **stretch,
    )
    matches = load_matches(
        position.ladder_id, match_format=position.match_format, facets=facets, **stretch
    )
    state, matches = load_state(position, matches, everyone=everyone, facets=facets)
    if position.calendar is not None:
        rated = rate_periods(position, chunk, state, matches, report)
    else:
        rated = rate_matches(position, chunk, state, matches)
    report(chunk.last - chunk.after, chunk.closed)

    extend_lease(track_id, matches=rated.matches)
    commit(position, rated)
    seconds = time.monotonic() - began
    MATCHES_RATED.labels(system).inc(rated.matches)
    RUN_SECONDS.labels(system).observe(seconds)
    log.info(
        "run.committed",
        track=track_id,
        revision=position.revision + 1,
        matches=rated.matches,
        periods=len(rated.periods),
        seconds=round(seconds, 3),
    )
    return rated
