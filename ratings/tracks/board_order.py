"""What a track's leaderboard is ordered by, as its system declares and the operator chose."""

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.postgresql.transactions import after_commit
from foundation.refusals import RefusedError
from foundation.wakeups import wake
from ratings.models import RatingTrack, TrackState
from ratings.models.tracks import BoardBy
from ratings.systems import declaration_of

__all__ = [
    "NoDeviationError",
    "can_be_ordered",
    "default_board_by",
    "deviations_of",
    "order_board_by",
]


class NoDeviationError(RefusedError):
    """Without deviations there is no conservative rating."""

    code = "system_has_no_deviation"


def default_board_by(system: str) -> BoardBy:
    """What boards of a new track of this system are ordered by."""
    return BoardBy.CONSERVATIVE if declaration_of(system).is_conservative else BoardBy.RATING


def deviations_of(track: RatingTrack, board_by: str | None = None) -> float:
    """How many deviations below the rating that is by which the board is ordered, or would be; 0: the rating itself."""
    if (board_by or track.board_by) == BoardBy.RATING:
        return 0.0
    return declaration_of(track.system).conservative_deviations


def can_be_ordered(track: RatingTrack) -> bool:
    """Whether there is a choice: a live track of players as a whole, whose ratings have a deviation."""
    is_live = track.state == TrackState.LIVE and not track.facet
    return is_live and declaration_of(track.system).conservative_deviations > 0


@transaction.atomic
def order_board_by(*, track: RatingTrack, board_by: str, by: User | None, note: str) -> None:
    """Let the board of a track, and of its replay under way, be ordered so. Workers put it in order at once.

    Raises NoDeviationError where the system has no deviation.
    """
    if board_by == BoardBy.CONSERVATIVE and not deviations_of(track, board_by):
        text = _(
            "The ratings of %(track)s have no deviation, so there is no conservative rating. Order it by the rating."
        )
        raise NoDeviationError(text % {"track": track})
    hold_firmly(Lock.LADDER, track.ladder_id)
    track.refresh_from_db(fields=["board_by"])
    if track.board_by == board_by:
        return
    before, track.board_by = track.board_by, board_by
    replay = Q(replaces=track, state=TrackState.REPLAY)
    RatingTrack.objects.filter(Q(pk=track.pk) | replay).update(board_by=board_by)
    audit.record(
        actor=by,
        action="track.board_ordered",
        target=track,
        before={"board_by": before},
        after={"board_by": board_by},
        note=note,
    )
    after_commit(wake, "leaderboards.flip_due_standings")
