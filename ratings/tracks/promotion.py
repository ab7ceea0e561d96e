"""The shown track of a ladder, which players see: an operator requests another, which is promoted once it can be.

A request is a mark on the track (`shown_next`); the shown track is the one with `shown`. A worker finds it, lets
the leaderboard be built without a lock, and switches in one transaction under the ladder's lock: killed anywhere, the
next call goes on. Both tracks stay live and are rated as before.
"""

from datetime import timedelta

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from events import outbox
from events.kinds import Kind
from foundation import clock
from foundation.postgresql.lease import hold_firmly
from foundation.postgresql.locks import Lock
from foundation.postgresql.transactions import after_commit
from foundation.refusals import RefusedError
from foundation.wakeups import wake
from ratings.models import Facet, Ladder, Match, RatingTrack, TrackState
from ratings.runs.position import find_position
from ratings.runs.replay import prepare
from ratings.runs.run import extend_lease, hold_lease, rate_track
from ratings.tracks.parameters import replay_of
from ratings.tracks.periods import calendar_of

__all__ = [
    "NotPromotableError",
    "can_be_requested",
    "check_promotable",
    "promote_requested",
    "rate_and_promote",
    "request_promotion",
    "requested_tracks",
    "shown_track",
]

log = structlog.get_logger(__name__)

# On a busy ladder something is always due for a moment: only what is due for longer is a track behind with.
PATIENCE = timedelta(minutes=1)
# So often a match may be confirmed between the last one rated and the switch.
_TRIES = 20


class NotPromotableError(RefusedError):
    """Players see live tracks that rate them as a whole, and have caught up."""

    code = "track_cannot_be_shown"


def shown_track(ladder: Ladder) -> RatingTrack | None:
    """The track that players see; None where there is none."""
    shown = ladder.tracks.filter(shown=True, facet=Facet.NONE)
    return shown.select_related("ladder").first()


def can_be_requested(track: RatingTrack) -> bool:
    """Whether to offer it: a live track of players as a whole; the shown one only while another is asked for."""
    if track.state != TrackState.LIVE or track.facet or track.shown_next or track.archived_at:
        return False
    return not track.shown or _is_another_asked_for(track)


def check_promotable(track: RatingTrack) -> None:
    """Raise NotPromotableError, with what would be right, unless players can see this track in place of the shown one.

    Reads only; under the ladder's lock nothing of it changes. Its ladder should be loaded.
    """
    if track.state != TrackState.LIVE:
        text = _("%(track)s is %(state)s. Players see live tracks only.")
        raise NotPromotableError(text % {"track": track, "state": track.get_state_display()})
    if track.archived_at is not None:
        text = _("%(track)s is archived. Restore it first.")
        raise NotPromotableError(text % {"track": track})
    if track.facet:
        text = _(
            "%(track)s rates each map or character apart, beside the ladder's rating. "
            "Choose a track that rates players as a whole."
        )
        raise NotPromotableError(text % {"track": track})
    if track.shown_next:
        text = _(
            "%(track)s was asked for already. It is shown as soon as its leaderboard is ready."
        )
        raise NotPromotableError(text % {"track": track})
    if track.shown:
        if not _is_another_asked_for(track):
            raise NotPromotableError(_("Players see %(track)s already.") % {"track": track})
        return  # it stays as it is
    # What follows passes by itself.
    for one in (track, shown_track(track.ladder)):
        if one is not None and replay_of(one) is not None:
            text = _("%(track)s is being recalculated. Wait until its new ratings are complete.")
            raise NotPromotableError(text % {"track": one})
    moment = clock.now() - PATIENCE
    if calendar := calendar_of(track):
        is_behind = calendar.number_at(moment) > track.closed_periods
    else:
        beyond = Match.objects.filter(ladder=track.ladder_id, ladder_seq__gt=track.rated_seq)
        is_behind = beyond.filter(counts_at__lte=moment).exists()
    if is_behind:
        text = _(
            "%(track)s has not caught up: it has rated up to match %(rated)d of %(of)d. "
            "Wait until everything that is due is rated."
        )
        words = {"track": track, "rated": track.rated_seq, "of": track.ladder.last_seq}
        raise NotPromotableError(text % words)


@transaction.atomic
def request_promotion(*, track: RatingTrack, by: User | None, note: str) -> None:
    """Let players see this track of its ladder instead of the shown one, as soon as its leaderboard is ready.

    It takes the place of another one that was asked for and is not shown yet; asking for the shown track takes that
    back. Raises NotPromotableError.
    """
    hold_firmly(Lock.LADDER, track.ladder_id)
    track.refresh_from_db()
    check_promotable(track)
    tracks = RatingTrack.objects.filter(ladder=track.ladder_id)
    asked, shown = tracks.filter(shown_next=True).first(), shown_track(track.ladder)
    tracks.filter(shown_next=True).update(shown_next=False)
    tracks.filter(pk=track.pk, shown=False).update(shown_next=True)
    track.refresh_from_db()
    before = {"shown": shown and shown.pk, "asked_for": asked and asked.pk}
    audit.record(
        actor=by,
        action="track.show_requested",
        target=track,
        before={name: pk for name, pk in before.items() if pk is not None},
        after={"shown": track.pk},
        note=note,
    )
    after_commit(wake, "ratings.rate_due_tracks")


def requested_tracks(ladder: Ladder | None = None) -> list[int]:
    """Ids of the tracks (of one ladder) that are asked for and not shown yet, and are not being computed anew."""
    replays = RatingTrack.objects.filter(replaces=OuterRef("pk"), state=TrackState.REPLAY)
    asked = RatingTrack.objects.filter(shown_next=True).exclude(Exists(replays))
    if ladder is not None:
        asked = asked.filter(ladder=ladder)
    return list(asked.order_by("pk").values_list("pk", flat=True))


def rate_and_promote(track_id: int, *, wait: bool) -> bool:
    """Rate what is due on a track that was requested, and promote it. False when it cannot be yet: call again later.

    With `wait` off a track that somebody else is at is left alone: while a large board is built the others go on.
    """
    for _try in range(_TRIES):
        with hold_lease(track_id, wait=wait) as is_held:
            if not is_held:
                return False
            rated = RatingTrack.objects.values_list("rated_seq", flat=True).get(pk=track_id)
            extend_lease(track_id, matches=rated)
            if promote_requested(track_id):
                return True
        rate_track(track_id, wait=wait)
    return False


def promote_requested(track_id: int) -> bool:
    """Let a requested track be shown. False when something is due on it, or it is computed anew: call again then.

    True also where there is nothing to do: another was faster, or it was taken back.
    """
    if not RatingTrack.objects.filter(pk=track_id, shown_next=True).exists():
        return True
    prepare(track_id)
    with transaction.atomic():
        position = find_position(track_id, until=None)  # takes the ladder's lock
        track = RatingTrack.objects.select_related("ladder").get(pk=track_id)
        if not track.shown_next:
            return True
        if position.is_behind or replay_of(track) is not None:
            return False
        prepare(track_id)
        # Hide the other first: only one track of a ladder may be shown.
        old = shown_track(track.ladder)
        if old is not None:
            RatingTrack.objects.filter(pk=old.pk).update(shown=False)
        RatingTrack.objects.filter(pk=track_id).update(
            shown=True, shown_next=False, shown_since=clock.now()
        )
        replaced = old.pk if old else None
        outbox.publish(
            Kind.TRACK_SHOWN, track=track_id, replaced=replaced, ladder=track.ladder_id, shown=True
        )
        log.info("track.shown", track=track_id, replaced=replaced)
    return True


def _is_another_asked_for(shown: RatingTrack) -> bool:
    return RatingTrack.objects.filter(ladder=shown.ladder_id, shown_next=True).exists()
