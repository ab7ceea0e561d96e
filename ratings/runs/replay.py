"""Replays: a ladder's history computed anew, in a new generation of each track that it concerns.

A replay is a track of its own, rated by the ordinary runs from the first match on. When it has caught up it takes the
place of the track that it replaces, under the ladder's lock. Until then nobody but operators sees it. The generation
that was replaced last is kept, to look things up in; those before it are deleted.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

import structlog
from django.db import connection, transaction
from django.db.models import Exists, F, Max, OuterRef, Q

from accounts import audit
from accounts.models import User
from events import outbox
from events.kinds import Kind
from foundation import clock
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.postgresql.transactions import after_commit
from foundation.wakeups import wake
from ratings.models import (
    Ladder,
    ParameterVersion,
    RatedBy,
    Rating,
    RatingPeriod,
    RatingTrack,
    TrackState,
)
from ratings.runs.position import find_position
from ratings.tracks.drift import plan_drift
from ratings.tracks.parameters import (
    check_live,
    current_version,
    decimals_of,
    replay_of,
    resolve_change,
)
from ratings.tracks.periods import Calendar, calendar_of, fix_start, start_of

__all__ = [
    "drop_retired",
    "finish_replay",
    "prepare",
    "prepare_with",
    "replay_periods",
    "replay_track",
    "replay_with",
    "request_replays",
]

log = structlog.get_logger(__name__)

BATCH = 20_000
_DROP_LEDGER = """
DELETE FROM ratings_ratingchange
WHERE id IN (SELECT id FROM ratings_ratingchange WHERE track_id = %(track)s LIMIT %(most)s)
"""
_DROP_TALLIES = """
DELETE FROM ratings_logtally
WHERE (match_id, player_id) IN (
    SELECT match_id, player_id FROM ratings_logtally WHERE track_id = %(track)s LIMIT %(most)s
) AND track_id = %(track)s
"""

Preparer = Callable[[int], object]
_preparers: list[Preparer] = []


@transaction.atomic
def request_replays(*, ladder_id: int, from_seq: int) -> list[int]:
    """Let every track of the ladder come to what it would be had the match of this number always been as it is now:
    never played where it was annulled, with its result where that was corrected.

    Call it in the transaction that changes the match, once its rows say so; the ladder's lock is taken if it is not
    held yet. Runs under way start over. Returns the ids of the replays, new or running, that will
    show the change: none for tracks that have not come to the match, for they read it as it is.
    """
    hold_firmly(Lock.LADDER, ladder_id)
    if Ladder.objects.filter(pk=ladder_id, rated_by=RatedBy.EVENTS).exists():
        from_seq = 0  # the events of a match stand long before its end
    tracks = RatingTrack.objects.filter(ladder=ladder_id).exclude(state=TrackState.RETIRED)
    tracks.update(revision=F("revision") + 1)
    running = {track.replaces_id: track for track in tracks.filter(state=TrackState.REPLAY)}
    live = tracks.filter(state=TrackState.LIVE).order_by("-shown", "pk")
    replays: list[int] = []
    for track in live:
        replay = running.get(track.pk)
        nearest = replay or track
        if nearest.rated_seq >= from_seq or nearest.starts_at not in (None, start_of(nearest)):
            replay = _begin(track, replay, _carried_over(nearest))
        if replay is not None:
            replays.append(replay.pk)
    after_commit(wake, "ratings.rate_due_tracks")
    return replays


@transaction.atomic
def replay_periods(*, ladder_id: int) -> list[int]:
    """Let every track of the ladder that has periods close them anew, from the first; returns the ids of the replays.

    For periods that a wrong clock has closed. What their matches count for has been put right before.
    """
    hold_firmly(Lock.LADDER, ladder_id)
    tracks = RatingTrack.objects.filter(ladder=ladder_id, period_days__isnull=False)
    running = {track.replaces_id: track for track in tracks.filter(state=TrackState.REPLAY)}
    live = tracks.filter(state=TrackState.LIVE).order_by("-shown", "pk")
    replays = [_begin(track, running.get(track.pk), _carried_over(track)) for track in live]
    after_commit(wake, "ratings.rate_due_tracks")
    return [replay.pk for replay in replays]


@transaction.atomic
def replay_track(*, track: RatingTrack) -> RatingTrack:
    """Let a live track come to the same once more, from the first match; returns the replay. NotLiveError otherwise.

    For what a wrong clock has written into the ledger: its rows stay, with the generation that they belong to.
    """
    hold_firmly(Lock.LADDER, track.ladder_id)
    track.refresh_from_db()
    check_live(track)
    running = replay_of(track)
    replay = _begin(track, running, _carried_over(running or track))
    after_commit(wake, "ratings.rate_due_tracks")
    return replay


@transaction.atomic
def replay_with(
    *, track: RatingTrack, parameters: Mapping[str, object], by: User | None, note: str
) -> RatingTrack:
    """Change some of a live track's parameters "as if always": from the first match on. Returns the replay.

    It takes the place of a replay under way. Raises ParameterError, or NotLiveError for a track that is not live.
    """
    hold_firmly(Lock.LADDER, track.ladder_id)
    track.refresh_from_db()
    check_live(track)
    present, running = current_version(track), replay_of(track)
    newest = current_version(running) if running else present
    resolved = resolve_change(track, newest, parameters)
    version = ParameterVersion(
        number=max(present.number, newest.number) + 1,
        applies_from=0,
        parameters=resolved,
        created_at=clock.now(),
        created_by=by,
        note=note,
    )
    replay = _begin(track, running, [version])
    names = [name for name, value in resolved.items() if present.parameters.get(name) != value]
    audit.record(
        actor=by,
        action="track.replayed_with",
        target=track,
        before={name: present.parameters.get(name) for name in names},
        after={**{name: resolved[name] for name in names}, "replay": replay.pk},
        note=note,
    )
    after_commit(wake, "ratings.rate_due_tracks")
    return replay


def _begin(
    track: RatingTrack, running: RatingTrack | None, versions: Sequence[ParameterVersion]
) -> RatingTrack:
    """Make the next generation of a track, in the place of a replay under way."""
    if running is not None:
        RatingTrack.objects.filter(pk=running.pk).update(
            state=TrackState.RETIRED, revision=F("revision") + 1
        )
    generations = RatingTrack.objects.filter(Q(pk=track.pk) | Q(replaces=track))
    newest: int = generations.aggregate(newest=Max("generation"))["newest"]
    replay = RatingTrack.objects.create(
        ladder_id=track.ladder_id,
        system=track.system,
        facet=track.facet,
        period_days=track.period_days,
        generation=newest + 1,
        state=TrackState.REPLAY,
        replaces=track,
        decimals=decimals_of(track.system, versions[-1].parameters, track.period_days),
        board_by=track.board_by,
    )
    fix_start(replay)
    for version in versions:
        version.track = replay
    ParameterVersion.objects.bulk_create(versions)
    plan_drift(track.ladder_id)
    return replay


def _carried_over(track: RatingTrack) -> list[ParameterVersion]:
    """Return the versions of a track as they apply when its periods begin with what is confirmed now; not saved.

    Where periods begin elsewhere, a version applies from the one that was open when the version was made. One made
    before the first match applies from the first period, and so does the oldest: periods may begin earlier than before,
    where a match counts again that had been annulled.
    """
    before, start = calendar_of(track), start_of(track)
    after = Calendar(start, before.length) if before and start else None
    carried: list[ParameterVersion] = []
    for row in track.versions.order_by("number"):
        applies_from = row.applies_from
        if before and after != before:
            opened, over = before.starts_at(applies_from), before.ends_at(applies_from)
            made_at = min(max(row.created_at, opened), over - timedelta(microseconds=1))
            applies_from = after.number_at(made_at) if after and carried else 0
        carried.append(
            ParameterVersion(
                number=row.number,
                applies_from=applies_from,
                parameters=row.parameters,
                created_at=row.created_at,
                created_by_id=row.created_by_id,
                note=row.note,
            )
        )
    return carried


def prepare_with(preparer: Preparer) -> None:
    """Call `preparer` to make ready what must not be missing when a track is shown. Called from an app's `ready()`.

    It is given the track's id twice: once without a lock, to do most of the work, and again in the transaction of
    the switch, under the ladder's lock, to do the rest. It must be correct when it runs any number of times.
    """
    _preparers.append(preparer)


def prepare(track_id: int) -> None:
    """Make everything ready that must not be missing when this track is shown, see `prepare_with`."""
    for preparer in _preparers:
        preparer(track_id)


def finish_replay(track_id: int) -> bool:
    """Let a replay that has caught up take its place. False when something has become due on it meanwhile.

    True for every other track: there is nothing to finish.
    """
    if not RatingTrack.objects.filter(pk=track_id, state=TrackState.REPLAY).exists():
        return True
    prepare(track_id)
    with transaction.atomic():
        position = find_position(track_id, until=None)  # takes the ladder's lock
        replay = RatingTrack.objects.select_related("replaces").get(pk=track_id)
        if replay.state != TrackState.REPLAY:
            return True
        if position.is_behind:  # a match of the sequence, or a period
            return False
        prepare(track_id)
        old = replay.replaces
        if old is not None:  # first, for only one track of a ladder may be shown
            RatingTrack.objects.filter(pk=old.pk).update(
                state=TrackState.RETIRED,
                shown=False,
                shown_next=False,
                archived_at=None,
                revision=F("revision") + 1,
            )
        shown, replaced = old is not None and old.shown, old.pk if old else None
        RatingTrack.objects.filter(pk=replay.pk).update(
            state=TrackState.LIVE,
            shown=shown,
            shown_next=old is not None and old.shown_next,
            shown_since=old.shown_since if old else None,
            archived_at=old.archived_at if old else None,
        )
        plan_drift(replay.ladder_id)
        outbox.publish(
            Kind.TRACK_REPLACED,
            track=replay.pk,
            replaced=replaced,
            ladder=replay.ladder_id,
            shown=shown,
        )
        log.info(
            "replay.switched", track=replay.pk, replaced=replaced, generation=replay.generation
        )
    return True


def drop_retired() -> int:
    """Delete retired tracks other than those that a live track replaced; returns how many are gone.

    In batches, each a transaction of its own: killed anywhere, the next call goes on. What another process is
    deleting is left to it.
    """
    heirs = RatingTrack.objects.filter(replaces=OuterRef("pk"), state=TrackState.LIVE)
    retired = RatingTrack.objects.filter(state=TrackState.RETIRED).exclude(Exists(heirs))
    dropped = 0
    for track_id in retired.order_by("pk").values_list("pk", flat=True):
        while (is_left := _drop_batch(track_id)) is not None:
            if not is_left:
                log.info("track.dropped", track=track_id)
                dropped += 1
                break
    return dropped


@transaction.atomic
def _drop_batch(track_id: int) -> bool | None:
    """Delete some of a track's ledger, then of its tallies and ratings, then the rest.

    Returns whether any is left, or None where another process has the track.
    """
    locked = RatingTrack.objects.select_for_update(skip_locked=True, of=("self",))
    track = locked.filter(pk=track_id, state=TrackState.RETIRED).first()
    if track is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.drop_ledger = 'on'")
        cursor.execute(_DROP_LEDGER, {"track": track_id, "most": BATCH})
        if cursor.rowcount > 0:
            return True
        cursor.execute(_DROP_TALLIES, {"track": track_id, "most": BATCH})
        if cursor.rowcount > 0:
            return True
    ratings = list(Rating.objects.filter(track=track_id).values_list("pk", flat=True)[:BATCH])
    Rating.objects.filter(pk__in=ratings).delete()  # with their standings
    if ratings:
        return True
    RatingPeriod.objects.filter(track=track).delete()  # they protect the versions
    track.delete()
    return False
