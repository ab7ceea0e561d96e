"""Appealing: against a sanction in force, or a reset of one's name, each once."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from foundation.postgresql.transactions import briefly
from matchmaking.conduct.refusals import AlreadyAppealedError
from moderation.models import Appeal, Case, NameChange, Queue
from moderation.models.appeals import LONGEST_APPEAL
from moderation.plain_text import tidy_text
from moderation.refusals import NotAppealableError, WrongReportError
from ratings.models import Player, SanctionKind
from ratings.sanctions import in_force

__all__ = ["appeal_against_reset", "appeal_against_sanction", "appealable"]


def appeal_against_sanction(*, player: Player, sanction_id: int, text: str) -> Appeal:
    """Ask that a sanction in force be looked at once more. Raises NotAppealableError, AlreadyAppealedError and
    WrongReportError.
    """
    tidy = _checked(text)
    with briefly() as now:
        own = in_force().filter(pk=sanction_id, player=player).exclude(kind=SanctionKind.NOTE)
        sanction = own.first()
        if sanction is None:
            raise NotAppealableError
        if (earlier := Appeal.objects.filter(sanction=sanction).first()) is not None:
            raise AlreadyAppealedError(appeal=earlier.pk)
        return _keep(Appeal(player=player, sanction=sanction, text=tidy, at=now))


def appeal_against_reset(*, player: Player, change_id: int, text: str) -> Appeal:
    """The same of a reset of the player's name."""
    tidy = _checked(text)
    with briefly() as now:
        resets = NameChange.objects.filter(pk=change_id, player=player, is_reset=True)
        change = resets.filter(undone_at=None).first()
        if change is None:
            raise NotAppealableError
        if (earlier := Appeal.objects.filter(name_change=change).first()) is not None:
            raise AlreadyAppealedError(appeal=earlier.pk)
        return _keep(Appeal(player=player, name_change=change, text=tidy, at=now))


def appealable(players: list[Player]) -> tuple[list[object], list[NameChange]]:
    """What these players can appeal against now: sanctions, and resets of names."""
    sanctions = in_force().filter(player__in=players, appeal=None)
    told = sanctions.exclude(kind=SanctionKind.NOTE).select_related("player__game")
    resets = NameChange.objects.filter(
        player__in=players, is_reset=True, undone_at=None, appeal=None
    )
    return list(told.order_by("-pk")), list(resets.select_related("player__game"))


def _checked(text: str) -> str:
    tidy = tidy_text(text)
    if not tidy:
        raise WrongReportError(_("Say why it was wrong."))
    if len(tidy) > LONGEST_APPEAL:
        words = _("Your text has %(length)d characters; it can have %(most)d at most.")
        raise WrongReportError(words % {"length": len(tidy), "most": LONGEST_APPEAL})
    return tidy


def _keep(appeal: Appeal) -> Appeal:
    try:
        with transaction.atomic():
            appeal.save(force_insert=True)
    except IntegrityError:
        same = Appeal.objects.filter(sanction=appeal.sanction, name_change=appeal.name_change)
        raise AlreadyAppealedError(appeal=same.values_list("pk", flat=True)[0]) from None
    Case.objects.create(queue=Queue.APPEAL, appeal=appeal, opened_at=appeal.at)
    return appeal
