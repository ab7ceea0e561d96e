"""Wake-ups of rating. Each finds its work in the database: correct when it runs never, once, twice or twice at once."""

import structlog
from celery import shared_task
from django.db import InterfaceError, OperationalError

from ratings import runs
from ratings.sequencing import ladders_with_waiting_matches, sequence_confirmed

__all__ = ["rate_due_tracks", "rate_track"]

log = structlog.get_logger(__name__)


@shared_task(name="ratings.rate_due_tracks")
def rate_due_tracks() -> None:
    """Give waiting matches their place, then bring every track up to date that nobody else is at."""
    for ladder_id in ladders_with_waiting_matches():
        sequence_confirmed(ladder_id)
    for track_id in runs.due_tracks():
        try:
            runs.rate_track(track_id, wait=False)
        except (
            OperationalError,
            InterfaceError,
        ):  # the database is away: no other track fares better
            raise
        except Exception:  # whatever is wrong with this track, the others go on
            log.exception("run.failed", track=track_id)


@shared_task(name="ratings.rate_track")
def rate_track(pk: int) -> None:
    """Bring one track up to date."""
    runs.rate_track(pk, wait=False)
