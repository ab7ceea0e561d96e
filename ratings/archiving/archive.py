"""Taking a thing out of use, and back into it. One column says it; what belongs to the thing follows by its queries.

So nothing is written but that column: what was archived by itself within an archived game stays so when the game is
restored, and everything else is as it was. Matches that are being played end as they would have, and are rated.
"""

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from events.live import broadcast
from foundation.archiving import Archivable
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.postgresql.transactions import after_commit, briefly
from foundation.refusals import RefusedError
from ratings.models import Game, Ladder, RatingTrack, TrackState

__all__ = [
    "AlreadyArchivedError",
    "ArchivedError",
    "NotArchivedError",
    "TrackIsShownError",
    "archive",
    "archived_above",
    "follow_with",
    "restore",
    "say_restored",
]

# What servers of the game are told; of tracks nothing.
_KINDS = {
    "game.archived": Kind.GAME_ARCHIVED,
    "game.restored": Kind.GAME_RESTORED,
    "ladder.archived": Kind.LADDER_ARCHIVED,
    "ladder.restored": Kind.LADDER_RESTORED,
    "queue.archived": Kind.QUEUE_ARCHIVED,
    "queue.restored": Kind.QUEUE_RESTORED,
}
# Called after the commit with what was archived or restored. What is not followed then, because the process ended, the
# next sweep finds in the rows.
_followers: list[Callable[[Archivable], object]] = []


class ArchivedError(RefusedError):
    """Something new would begin in what is archived. `extra` may name the ladder or the queue."""

    code = "archived"
    status = HTTPStatus.GONE

    def __init__(self, name: object, **extra: object) -> None:
        words = _("“%(name)s” has been archived and is no longer in use. Its history is kept.")
        super().__init__(words % {"name": name}, **extra)


class AlreadyArchivedError(RefusedError):
    """Another operator was faster."""

    code = "already_archived"


class NotArchivedError(RefusedError):
    """There is nothing to restore."""

    code = "not_archived"


class TrackIsShownError(RefusedError):
    """Players see the track, or are about to; or it is not a live one."""

    code = "track_is_shown"


def follow_with(follower: Callable[[Archivable], object]) -> None:
    """Let apps above do what an archived thing means for searches, at once."""
    _followers.append(follower)


def archive(thing: Archivable, *, by: User | None, note: str = "") -> None:
    """Take a game, a ladder, a queue or a track out of use from now on. `note`: why, to the audit log.

    Raises AlreadyArchivedError; of a track that players see, or that no longer is live, TrackIsShownError.
    """
    with briefly() as now:
        held = _held(thing)
        if held.archived_at is not None:
            words = _("“%(name)s” is archived already. Nothing was changed.")
            raise AlreadyArchivedError(words % {"name": held})
        if isinstance(held, RatingTrack):
            _check_track(held)
        thing.archived_at = now
        thing.save(update_fields=["archived_at"])
        _conclude(thing, "archived", None, by, note)


def restore(thing: Archivable, *, by: User | None, note: str = "") -> None:
    """Take it into use again, exactly as it was. Raises NotArchivedError."""
    with briefly():
        held = _held(thing)
        if held.archived_at is None:
            words = _("“%(name)s” is not archived. Nothing was changed.")
            raise NotArchivedError(words % {"name": held})
        thing.archived_at = None
        thing.save(update_fields=["archived_at"])
        _conclude(thing, "restored", held.archived_at, by, note)


def archived_above(thing: Archivable) -> Archivable | None:
    """The ladder or the game that it belongs to and that is archived; None where neither is."""
    above: Any = thing
    for name in ("ladder", "game"):
        above = getattr(above, name, above)
        if above is not thing and above.archived_at is not None:
            found: Archivable = above
            return found
    return None


def say_restored(thing: Archivable) -> str:
    """What has become of a thing that was restored."""
    above = archived_above(thing)
    if above is None:
        return _("%(thing)s is in use again.") % {"thing": thing}
    words = _("%(thing)s is restored. It is in use again as soon as its %(kind)s %(name)s is, too.")
    return words % {"thing": thing, "kind": above._meta.verbose_name, "name": above}


def _held(thing: Archivable) -> Archivable:
    """The row as it is now, kept until the transaction ends."""
    if isinstance(
        thing, RatingTrack
    ):  # under it tracks are promoted, and replays take their places
        hold_firmly(Lock.LADDER, thing.ladder_id)
    rows = type(thing)._default_manager.select_for_update(no_key=True, of=("self",))
    found: Archivable = rows.get(pk=thing.pk)
    return found


def _check_track(track: RatingTrack) -> None:
    if track.shown or track.shown_next:
        words = _("Players see “%(name)s”, or soon will. Show them another track first.")
        raise TrackIsShownError(words % {"name": track})
    if track.state != TrackState.LIVE:
        words = _("“%(name)s” is %(state)s. Only live tracks are archived.")
        raise TrackIsShownError(words % {"name": track, "state": track.get_state_display()})


def _conclude(
    thing: Archivable, verb: str, before: datetime | None, by: User | None, note: str
) -> None:
    kind = "track" if isinstance(thing, RatingTrack) else thing._meta.model_name
    was, is_now = (
        {"archived_at": at.isoformat() if at else None} for at in (before, thing.archived_at)
    )
    audit.record(
        actor=by, action=f"{kind}.{verb}", target=thing, before=was, after=is_now, note=note
    )
    if told := _KINDS.get(f"{kind}.{verb}"):
        broadcast([f"game:{_game_of(thing)}"], told, **{str(kind): thing.pk})
    for follower in _followers:
        after_commit(follower, thing)


def _game_of(thing: Archivable) -> int:
    """The id of the game that the thing is, or belongs to."""
    if isinstance(thing, Game):
        return int(thing.pk)
    ladder: Ladder = thing if isinstance(thing, Ladder) else thing.ladder  # type: ignore[attr-defined]
    return ladder.game_id
