"""Wake-ups of rating. Each finds its work in the database: correct when it runs never, once, twice or twice at once."""

import structlog
from celery import shared_task

from foundation.postgresql.connections import is_database_away
from ratings.behaviour.learn import due_tracks, learn_track
from ratings.logs.counting import count_logs
from ratings.logs.ending import end_silent
from ratings.logs.gaps import give_up_gaps
from ratings.matches.deadlines import settle_due
from ratings.players.map_games import count_maps, ladders_with_uncounted_maps
from ratings.runs import run
from ratings.runs.replay import drop_retired
from ratings.runs.sequence import ladders_with_waiting_matches, sequence_confirmed
from ratings.tracks import promotion
from ratings.tracks.sides import due_sides, estimate_sides

__all__ = [
    "estimate_due_sides",
    "learn_from_behaviour",
    "rate_due_tracks",
    "rate_track",
    "settle_due_matches",
]

log = structlog.get_logger(__name__)


@shared_task(name="ratings.rate_due_tracks")
def rate_due_tracks() -> None:
    """Number waiting matches, bring every track up to date that no other process rates, and count maps and frags.

    Tracks that operators want players to see are shown then.

    Replays come last, and let what is due on live tracks pass between two of their transactions.
    """
    _rate_live_tracks()
    while any(_rate(track_id, at_most=1) for track_id in run.due_replays()):
        _rate_live_tracks()
    drop_retired()


def _rate_live_tracks() -> None:
    # A ladder without tracks is sequenced too, and only what has a number makes a track due.
    for ladder_id in ladders_with_waiting_matches():
        sequence_confirmed(ladder_id)
    for track_id in run.due_tracks():
        _rate(track_id)
    for ladder_id in ladders_with_uncounted_maps():
        count_maps(ladder_id)
    _count_logs()
    for track_id in promotion.requested_tracks():
        # Unless it cannot be shown yet. What is wrong with one is logged, and the others go on.
        try:
            promotion.rate_and_promote(track_id, wait=False)
        except Exception as error:
            if is_database_away(error):
                raise
            log.exception("showing.failed", track=track_id)


def _count_logs() -> None:
    """Count frags for statistics. What is wrong with them is logged, and keeps nobody from being rated."""
    try:
        count_logs()
    except Exception as error:
        if is_database_away(error):
            raise
        log.exception("counting.failed")


def _rate(track_id: int, *, at_most: int | None = None) -> bool:
    """Rate a track; returns whether there is more to do. What is wrong with it is logged, and the others go on."""
    try:
        return run.rate_track(track_id, wait=False, at_most=at_most).has_more
    except Exception as error:
        if is_database_away(error):  # no other track fares better
            raise
        log.exception("run.failed", track=track_id)
        return False


@shared_task(name="ratings.rate_track")
def rate_track(pk: int) -> None:
    """Bring one track up to date."""
    run.rate_track(pk, wait=False)


@shared_task(name="ratings.settle_due_matches")
def settle_due_matches() -> None:
    """Decide the matches whose deadline is over, and wait no longer for what servers do not tell."""
    settle_due()
    give_up_gaps()
    end_silent()


@shared_task(name="ratings.estimate_due_sides")
def estimate_due_sides() -> None:
    """Estimate what sides are worth where that is due. What is wrong with a track is logged, and the others go on."""
    for track_id in due_sides():
        try:
            estimate_sides(track_id)
        except Exception as error:
            if is_database_away(error):
                raise
            log.exception("sides.failed", track=track_id)


@shared_task(name="ratings.learn_from_behaviour")
def learn_from_behaviour() -> None:
    """Learn from behaviour where that is due. What is wrong with a track is logged, and the others go on."""
    for track_id in due_tracks():
        try:
            learn_track(track_id)
        except Exception as error:
            if is_database_away(error):
                raise
            log.exception("behaviour.failed", track=track_id)
