"""Deleting generations that nobody needs any more. The one that was replaced last is kept, to look things up in."""

import structlog
from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from ratings.models import Rating, RatingPeriod, RatingTrack, TrackState

__all__ = ["drop_retired"]

log = structlog.get_logger(__name__)

BATCH = 20_000
_DROP_LEDGER = """
DELETE FROM ratings_ratingchange
WHERE id IN (SELECT id FROM ratings_ratingchange WHERE track_id = %(track)s LIMIT %(most)s)
"""


def drop_retired() -> int:
    """Delete retired tracks other than those that a live track replaced; returns how many are gone.

    In batches, each a transaction of its own: killed anywhere, the next call goes on. What another process is
    deleting is left to it.
    """
    heirs = RatingTrack.objects.filter(replaces=OuterRef("pk"), state=TrackState.LIVE)
    retired = RatingTrack.objects.filter(state=TrackState.RETIRED).exclude(Exists(heirs))
    return sum(_drop(track_id) for track_id in retired.order_by("pk").values_list("pk", flat=True))


def _drop(track_id: int) -> bool:
    while (left := _drop_batch(track_id)) is not None:
        if not left:
            log.info("track.dropped", track=track_id)
            return True
    return False


@transaction.atomic
def _drop_batch(track_id: int) -> bool | None:
    """Delete some of a track's ledger, then of its ratings, then the rest. Whether any is left; None: not ours."""
    locked = RatingTrack.objects.select_for_update(skip_locked=True, of=("self",))
    track = locked.filter(pk=track_id, state=TrackState.RETIRED).first()
    if track is None:
        return None
    if _drop_changes(track_id) or _drop_ratings(track_id):
        return True
    RatingPeriod.objects.filter(track=track).delete()  # they protect the versions
    track.delete()
    return False


def _drop_changes(track_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL evenmatch.drop_ledger = 'on'")
        cursor.execute(_DROP_LEDGER, {"track": track_id, "most": BATCH})
        return bool(cursor.rowcount > 0)


def _drop_ratings(track_id: int) -> bool:
    """With their standings."""
    batch = list(Rating.objects.filter(track=track_id).values_list("pk", flat=True)[:BATCH])
    Rating.objects.filter(pk__in=batch).delete()
    return bool(batch)
