"""Replays: a ladder's history computed anew, in a new generation of each track that it concerns.

A replay is a track of its own, rated by the ordinary runs from the first match on. When it has caught up it takes the
place of the track that it replaces (see `finish_replay`). Until then nobody but operators sees it.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Q

from accounts import audit
from accounts.models import User
from foundation import clock
from foundation.holders import hold_firmly
from foundation.hooks import after_commit
from foundation.locks import Lock
from foundation.wakeups import wake
from ratings.models import ParameterVersion, RatingTrack, TrackState
from ratings.tracks.parameters import (
    check_live,
    current_version,
    decimals_of,
    replay_of,
    resolve_change,
)
from ratings.tracks.periods import Calendar, calendar_of, fix_start, start_of

__all__ = ["replay_periods", "replay_track", "replay_with", "request_replays"]


@transaction.atomic
def request_replays(*, ladder_id: int, from_seq: int) -> list[int]:
    """Let every track of the ladder come to what it would be had the match at this place never been.

    Call it in the transaction that annuls the match, once the match is no longer confirmed; the ladder's lock is
    taken if it is not held yet. Runs under way start over. Returns the ids of the replays, new or running, that will
    show the change: none for tracks that have not come to the match, for they just pass it over.
    """
    hold_firmly(Lock.LADDER, ladder_id)
    tracks = RatingTrack.objects.filter(ladder=ladder_id).exclude(state=TrackState.RETIRED)
    tracks.update(revision=F("revision") + 1)
    running = {track.replaces_id: track for track in tracks.filter(state=TrackState.REPLAY)}
    live = tracks.filter(state=TrackState.LIVE).order_by("-shown", "pk")
    asked = [_without(track, running.get(track.pk), from_seq) for track in live]
    after_commit(wake, "ratings.rate_due_tracks")
    return [replay.pk for replay in asked if replay is not None]


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
    _record(track, present, replay, resolved, by=by, note=note)
    after_commit(wake, "ratings.rate_due_tracks")
    return replay


def _without(track: RatingTrack, running: RatingTrack | None, from_seq: int) -> RatingTrack | None:
    """Return the replay of a track that leaves out what is no longer confirmed at `from_seq`; None: needs none."""
    nearest = running or track
    if nearest.rated_seq < from_seq and nearest.starts_at in (None, start_of(nearest)):
        return running
    return _begin(track, running, _carried_over(nearest))


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
    )
    fix_start(replay)
    for version in versions:
        version.track = replay
    ParameterVersion.objects.bulk_create(versions)
    return replay


def _carried_over(track: RatingTrack) -> list[ParameterVersion]:
    """Return the versions of a track as they apply when its periods begin with what is confirmed now; not saved."""
    before, start = calendar_of(track), start_of(track)
    after = Calendar(start, before.length) if before and start else None
    return [
        ParameterVersion(
            number=row.number,
            applies_from=_applies_from(row, before, after) if before else row.applies_from,
            parameters=row.parameters,
            created_at=row.created_at,
            created_by_id=row.created_by_id,
            note=row.note,
        )
        for row in track.versions.order_by("number")
    ]


def _applies_from(version: ParameterVersion, before: Calendar, after: Calendar | None) -> int:
    """Return the period that was open when the version was made, in periods that begin elsewhere.

    Before the first match none has begun: a version made then applies from the first one.
    """
    if after == before:
        return version.applies_from
    open_then = before.starts_at(version.applies_from), before.ends_at(version.applies_from)
    made_at = min(max(version.created_at, open_then[0]), open_then[1] - timedelta(microseconds=1))
    return after.number_at(made_at) if after else 0


def _record(
    track: RatingTrack,
    present: ParameterVersion,
    replay: RatingTrack,
    resolved: Mapping[str, Any],
    *,
    by: User | None,
    note: str,
) -> None:
    names = [name for name, value in resolved.items() if present.parameters.get(name) != value]
    audit.record(
        actor=by,
        action="track.replayed_with",
        target=track,
        before={name: present.parameters.get(name) for name in names},
        after={**{name: resolved[name] for name in names}, "replay": replay.pk},
        note=note,
    )
