"""The end of a replay: it takes the place of the track it replaces, under the ladder's lock, in one transaction."""

from collections.abc import Callable

import structlog
from django.db import transaction
from django.db.models import F

from events import outbox
from ratings.models import RatingTrack, TrackState
from ratings.runs.position import find_position

__all__ = ["finish_replay", "prepare", "prepare_with"]

log = structlog.get_logger(__name__)

Preparer = Callable[[int], object]
_preparers: list[Preparer] = []


def prepare_with(preparer: Preparer) -> None:
    """Let `preparer` make ready what must not be missing when a track is shown. Called from an app's `ready()`.

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
    return _switch(track_id)


@transaction.atomic
def _switch(track_id: int) -> bool:
    """Switch if nothing is due on the replay: neither a match of the sequence nor a period."""
    position = find_position(track_id, until=None)  # takes the ladder's lock
    replay = RatingTrack.objects.select_related("replaces").get(pk=track_id)
    if replay.state != TrackState.REPLAY:
        return True
    if position.is_behind:
        return False
    prepare(track_id)
    _change_places(replay)
    return True


def _change_places(replay: RatingTrack) -> None:
    """Retire the old track first: only one track of a ladder may be shown."""
    old = replay.replaces
    if old is not None:
        RatingTrack.objects.filter(pk=old.pk).update(
            state=TrackState.RETIRED, shown=False, shown_next=False, revision=F("revision") + 1
        )
    shown = old is not None and old.shown
    RatingTrack.objects.filter(pk=replay.pk).update(
        state=TrackState.LIVE,
        shown=shown,
        shown_next=old is not None and old.shown_next,
        shown_since=old.shown_since if old else None,
    )
    replaced = old.pk if old else None
    outbox.publish(
        "track.replaced", track=replay.pk, replaced=replaced, ladder=replay.ladder_id, shown=shown
    )
    log.info("replay.switched", track=replay.pk, replaced=replaced, generation=replay.generation)
