"""Appeals against offences: made by the player, decided by a moderator."""

from django.db.models import QuerySet

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from events.live import broadcast
from foundation.postgresql.transactions import briefly
from matchmaking.conduct.moderation import LONGEST_REASON, MAY_TAKE_BACK, take_back_held
from matchmaking.conduct.refusals import (
    AlreadyAppealedError,
    AppealDecidedError,
    NoTextError,
    OffenceTakenBackError,
)
from matchmaking.conduct.told import tell_appeal_refused
from matchmaking.models import AppealState, Offence, OffenceAppeal
from ratings.players.own_matters import check_not_own, met_by

__all__ = ["LONGEST_TEXT", "appeal", "decide", "waiting"]

LONGEST_TEXT = 1000


def appeal(*, offence_id: int, player_id: int, text: str) -> OffenceAppeal:
    """Appeal against an offence of one's own.

    Raises NoTextError, OffenceTakenBackError, AlreadyAppealedError, and Offence.DoesNotExist for another's.
    """
    said = text.strip()
    if not said or len(said) > LONGEST_TEXT:
        raise NoTextError(LONGEST_TEXT)
    with briefly() as now:
        offence = Offence.objects.select_for_update(no_key=True).get(
            pk=offence_id, player=player_id
        )
        if offence.taken_back_at is not None:
            raise OffenceTakenBackError(offence.pk)
        made, is_new = OffenceAppeal.objects.get_or_create(
            offence=offence, defaults={"text": said, "made_at": now}
        )
        if not is_new:
            raise AlreadyAppealedError(offence=offence.pk)
    return made


def decide(
    appeal: OffenceAppeal, by: User | None, outcome: AppealState, reason: str
) -> OffenceAppeal:
    """Let an offence stand, or take it back, with the reason that the player reads. Audited.

    Raises ValueError for an outcome that is none, NoTextError, AppealDecidedError, and OwnMatterError where it concerns
    the moderator's own player.
    """
    if outcome == AppealState.OPEN:
        raise ValueError("an appeal is decided by upholding the offence or taking it back")
    said = reason.strip()
    if not said or len(said) > LONGEST_REASON:
        raise NoTextError(LONGEST_REASON)
    player = Offence.objects.values_list("player", flat=True).get(pk=appeal.offence_id)
    check_not_own(by, {player, *met_by(player)}, right=MAY_TAKE_BACK)
    with briefly() as now:
        offence = Offence.objects.select_for_update(no_key=True).get(pk=appeal.offence_id)
        held = OffenceAppeal.objects.get(pk=appeal.pk)
        if held.state != AppealState.OPEN:
            raise AppealDecidedError(held.pk)
        held.state, held.decided_at, held.decided_by, held.reason = outcome, now, by, said
        held.save(update_fields=["state", "decided_at", "decided_by", "reason"])
        if outcome == AppealState.TAKEN_BACK:
            take_back_held([offence.pk], now, by=by, reason=said)
        else:
            tell_appeal_refused(player, offence.pk)
        broadcast([f"player:{player}"], Kind.APPEAL_DECIDED, player=player)
        after = {"player": player, "state": str(outcome)}
        audit.record(actor=by, action="appeal.decided", target=held, after=after, note=said)
    return held


def waiting() -> QuerySet[OffenceAppeal]:
    """Appeals that wait for a decision, oldest first."""
    open_ones = OffenceAppeal.objects.filter(state=AppealState.OPEN).order_by("pk")
    return open_ones.select_related("offence__player__game", "offence__match")
