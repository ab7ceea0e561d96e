"""Deciding a case, exactly once, and taking a decision back where that can be."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from foundation import clock
from foundation.postgresql.transactions import briefly
from matchmaking.conduct.moderation import LONGEST_REASON as LONGEST_TAKEN_BACK
from matchmaking.conduct.moderation import take_back
from moderation.desk.acts import MANNERS, RIGHTS, Wishes, acts_for, do
from moderation.desk.cases import check_may_decide, check_untaken, hold
from moderation.models import Act, Appeal, Case, Decision, PlayerReport
from moderation.models.cases import LONGEST_REASON
from moderation.plain_text import tidy_text
from moderation.refusals import CaseDecidedError, WrongActError
from moderation.rename import give_back
from moderation.told import tell_of_decision
from ratings.sanctions import in_force, lift

__all__ = ["can_be_undone", "decide", "may_undo", "undo"]

# What they do to matches and ratings is followed by others at once; nor does a granted appeal come back.
_FOR_GOOD = frozenset({Act.ANNUL, Act.ANNUL_MANY, Act.CORRECT, Act.RESOLVE, Act.ABORT, Act.GRANT})


def decide(
    *, case_id: int, by: User, act: Act, reason: str, wishes: Wishes | None = None
) -> Decision:
    """Decide a case, and do what was decided, all in one transaction under the case's lock, which is taken first.

    Raises CaseDecidedError, CaseTakenError, OwnMatterError, OwnDecisionError, WrongActError, what the parts of the site
    refuse that do it, and Case.DoesNotExist.
    """
    said = checked_reason(reason)
    with transaction.atomic():
        case = hold(case_id)
        now = clock.now()
        check_untaken(case, by, now)
        check_may_decide(case, by)
        if act not in acts_for(case, by):
            raise WrongActError(_("This can't be done about this case as it is now."))
        done = do(case, act, by=by, reason=said, wishes=wishes or Wishes(), now=now)
        decision = Decision.objects.create(
            case=case,
            act=act,
            reason=said,
            by=by,
            at=now,
            sanction=done.sanction,
            name_change=done.name_change,
            offence=done.offence,
        )
        Case.objects.filter(pk=case.pk).update(decided_at=now, taken_by=None, taken_until=None)
        if case.report_id is not None:
            PlayerReport.objects.filter(pk=case.report_id).update(closed_at=now)
        if case.appeal_id is not None:
            Appeal.objects.filter(pk=case.appeal_id).update(granted=act == Act.GRANT)
        audit.record(
            actor=by,
            action="case.decided",
            target=case,
            after={"act": str(act), "decision": decision.pk},
            note=said,
        )
        tell_of_decision(case, decision)
    return decision


def can_be_undone(decision: Decision) -> bool:
    """Whether it holds, and nothing was done that others have followed."""
    if decision.undone_at is not None or decision.case.conduct_appeal_id is not None:
        return False
    return decision.act not in _FOR_GOOD


def may_undo(decision: Decision, by: User) -> bool:
    """Whether a moderator has the rights: those that lifting a sanction, giving back a name and taking back
    points need anywhere else.
    """
    needed = {
        RIGHTS[act]
        for act, is_there in (
            (Act.GRANT, decision.sanction_id is not None),
            (Act.RESET_NAME, decision.name_change_id is not None),
            (Act.MANNERS, decision.act in MANNERS or decision.offence_id is not None),
        )
        if is_there
    }
    return by.has_perms(needed)


def undo(*, decision_id: int, by: User, reason: str) -> Case:
    """Take a decision back: its sanction is lifted, the name given back, and the case waits again. Audited.

    Raises WrongActError where it cannot be or is not the moderator's to do, and what lifting and giving back refuse.
    """
    said = checked_reason(reason)
    with briefly() as now:
        case = hold(Decision.objects.values_list("case", flat=True).get(pk=decision_id))
        decision = Decision.objects.select_for_update().get(pk=decision_id)
        if decision.undone_at is not None:
            raise CaseDecidedError
        if not can_be_undone(decision):
            raise WrongActError(
                _("This can't be taken back: what it did to matches and ratings stays.")
            )
        check_may_decide(case, by)
        if not may_undo(decision, by):
            raise WrongActError(_("You have no right to take this back."))
        pk = decision.sanction_id
        if pk is not None and in_force().filter(pk=pk).exists():
            lift(sanction_id=pk, by=by, note=said)
        change = decision.name_change
        if change is not None and change.undone_at is None:
            give_back(change_id=change.pk, by=by, reason=said)
        offence = decision.offence
        if offence is not None and offence.taken_back_at is None:
            take_back(offence, by, said[:LONGEST_TAKEN_BACK])
        decision.undone_at, decision.undone_by = now, by
        decision.save(update_fields=["undone_at", "undone_by"])
        Case.objects.filter(pk=case.pk).update(decided_at=None)
        if case.appeal_id is not None:
            Appeal.objects.filter(pk=case.appeal_id).update(granted=None)
        audit.record(
            actor=by,
            action="case.decision_undone",
            target=case,
            before={"act": str(decision.act), "decision": decision.pk},
            note=said,
        )
    return case


def checked_reason(text: str) -> str:
    """The reason as it is kept. Raises WrongActError for none, or one that is too long."""
    said = tidy_text(text)
    if not said or len(said) > LONGEST_REASON:
        words = _("Give a reason, of %(most)d characters at most.")
        raise WrongActError(words % {"most": LONGEST_REASON})
    return said
