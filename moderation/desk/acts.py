"""What can be done about a case, by which right, and the doing of it: by what other parts of the site have for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.models import User
from matchmaking.conduct import appeals
from matchmaking.conduct.moderation import MAY_TAKE_BACK, confirm_bad_manners, note_report
from matchmaking.models import AppealState, Offence
from moderation.models import Act, Case, NameChange, ReportKind
from moderation.refusals import WrongActError
from moderation.rename import give_back, reset_name
from ratings.matches.decide import annul, resolve_dispute
from ratings.matches.refusals import NotConfirmedError
from ratings.matches.result import Result
from ratings.matches.revising.annul_many import Chosen, annul_many
from ratings.matches.revising.correct import correct
from ratings.merging.meant import meant_by
from ratings.models import (
    Match,
    MatchState,
    Player,
    Sanction,
    SanctionKind,
    SuspendedFrom,
)
from ratings.sanctions import impose, lift

__all__ = [
    "ALSO",
    "MANNERS",
    "RIGHTS",
    "Done",
    "Wishes",
    "acts_for",
    "changes_name",
    "chosen_of",
    "do",
]

# What confirms bad manners, and so gives points.
MANNERS = frozenset({Act.MANNERS, Act.COOL_OFF})
RIGHTS: Mapping[Act, str] = {
    **dict.fromkeys((Act.WARN, Act.SUSPEND, Act.HIDE), "ratings.add_sanction"),
    **dict.fromkeys(
        (Act.ANNUL, Act.ANNUL_MANY, Act.CORRECT, Act.RESOLVE, Act.ABORT), "ratings.change_match"
    ),
    Act.RESET_NAME: "ratings.change_player",
    **dict.fromkeys(MANNERS, MAY_TAKE_BACK),
    Act.GRANT: "ratings.change_sanction",
}
# Of which reports count against a player's conduct, once a moderator has done something about them.
_COUNTED = (ReportKind.LEFT, ReportKind.BAD_MANNERS, ReportKind.CHAT)
# Sanctions that may come beside another act.
ALSO = (Act.WARN, Act.SUSPEND, Act.HIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What an act needs to know.

    also            a sanction beside it
    suspended_from  of a suspension, and for how many days a sanction lasts; None: until it is lifted
    minutes         of cooling off
    ranks           one a team, of a result
    since, seen     of several matches: played since then, and how many were shown
    """

    also: Act | None = None
    suspended_from: SuspendedFrom | None = None
    days: int | None = None
    minutes: int | None = None
    ranks: tuple[int, ...] = ()
    since: datetime | None = None
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it, as far as it can be taken back."""

    sanction: Sanction | None = None
    name_change: NameChange | None = None
    offence: Offence | None = None


def acts_for(case: Case, by: User) -> list[Act]:
    """What this moderator can do about the case as things are now."""
    if case.conduct_appeal is not None:
        return [Act.GRANT, Act.REFUSE] if by.has_perm(MAY_TAKE_BACK) else []
    if case.appeal is not None:
        acts = [Act.GRANT, Act.REFUSE]
    elif case.match is not None:
        acts = _of_match(case.match)
    else:
        match = case.report.match if case.report is not None else None
        acts = [Act.NOTHING, Act.WARN, Act.MANNERS, Act.COOL_OFF, Act.SUSPEND, Act.HIDE]
        acts.append(Act.RESET_NAME)
        acts += _of_match(match) if match is not None else []
        acts.append(Act.ANNUL_MANY)
    return [act for act in acts if act not in RIGHTS or by.has_perm(_right_for(case, act))]


def changes_name(case: Case, act: str | None) -> bool:
    """Whether it gives the player another name, for which the admin asks for a fresh sign-in: a reset, or its end."""
    is_of_name = case.appeal is not None and case.appeal.name_change_id is not None
    return act == Act.RESET_NAME or (act == Act.GRANT and is_of_name)


def _right_for(case: Case, act: Act) -> str:
    return RIGHTS[Act.RESET_NAME] if changes_name(case, act) else RIGHTS[act]


def _of_match(match: Match) -> list[Act]:
    return {
        MatchState.DISPUTED: [Act.RESOLVE, Act.ABORT],
        MatchState.CONFIRMED: [Act.ANNUL, Act.CORRECT],
    }.get(MatchState(match.state), [])


def chosen_of(case: Case, wishes: Wishes) -> Chosen:
    """The matches that would be annulled together: the reported player's, since a moment."""
    player = _player(case)
    if wishes.since is None:
        raise WrongActError(_("Say since when the matches were played."))
    return Chosen(player=player, since=wishes.since)


def do(case: Case, act: Act, *, by: User, reason: str, wishes: Wishes, now: datetime) -> Done:
    """Do it, in the transaction that decides the case, which is locked. Raises what the parts of the site refuse."""
    sanction, change = None, None
    if act in ALSO:
        sanction = _impose(case, act, by, reason, wishes, now)
    elif act == Act.RESET_NAME:
        change = reset_name(player=_player(case), by=by, reason=reason)
    elif case.conduct_appeal is not None:
        outcome = AppealState.TAKEN_BACK if act == Act.GRANT else AppealState.UPHELD
        appeals.decide(case.conduct_appeal, by, outcome, reason)
    elif act == Act.GRANT:
        _grant(case, by, reason)
    elif act == Act.ANNUL_MANY:
        annul_many(chosen_of(case, wishes), by=by, note=reason, seen=wishes.seen)
    elif act in {Act.ANNUL, Act.CORRECT, Act.RESOLVE, Act.ABORT}:
        _decide_match(_match(case), act, by, reason, wishes)
    if wishes.also is not None and act not in ALSO:
        if act == Act.NOTHING:
            raise WrongActError(_("Either nothing is to be done, or a sanction is imposed."))
        if case.report is None or wishes.also not in ALSO:
            raise WrongActError(_("A sanction comes beside what is decided about a report alone."))
        sanction = _impose(case, wishes.also, by, reason, wishes, now)
    return Done(sanction, change, _charge(case, act, by, reason, wishes))


def _charge(case: Case, act: Act, by: User, reason: str, wishes: Wishes) -> Offence | None:
    """Points for bad manners; or for a report after which something is done. No match beside the latter: of two who
    met, it would say who reported.
    """
    report = case.report
    if report is None or act == Act.NOTHING:
        return None
    player = _player(case)
    if act == Act.COOL_OFF and not wishes.minutes:
        raise WrongActError(_("Say for how many minutes the player cools off."))
    if act in MANNERS:
        cools_for = timedelta(minutes=wishes.minutes or 0) if act == Act.COOL_OFF else None
        return confirm_bad_manners(player, report.match, by, reason, cools_for=cools_for)
    if report.kind not in _COUNTED:
        return None
    return note_report(player, meant_by(report.reporter), None)


def _impose(case: Case, act: Act, by: User, reason: str, wishes: Wishes, now: datetime) -> Sanction:
    if not by.has_perm(RIGHTS[act]):
        raise WrongActError(_("You have no right to impose sanctions."))
    kinds = {
        Act.WARN: SanctionKind.WARNING,
        Act.SUSPEND: SanctionKind.SUSPENDED,
        Act.HIDE: SanctionKind.HIDDEN,
    }
    if act == Act.SUSPEND and wishes.suspended_from is None:
        raise WrongActError(_("Say what the player is suspended from."))
    return impose(
        player=_player(case),
        kind=kinds[act],
        reason=reason,
        by=by,
        suspended_from=wishes.suspended_from if act == Act.SUSPEND else None,
        until=now + timedelta(days=wishes.days) if wishes.days else None,
        note=str(case),
    )


def _grant(case: Case, by: User, reason: str) -> None:
    appeal = case.appeal
    if appeal is not None and appeal.sanction_id is not None:
        lift(sanction_id=appeal.sanction_id, by=by, note=reason)
    elif appeal is not None and appeal.name_change_id is not None:
        give_back(change_id=appeal.name_change_id, by=by, reason=reason)


def _decide_match(match: Match, act: Act, by: User, reason: str, wishes: Wishes) -> None:
    if act == Act.ANNUL:
        if match.state != MatchState.CONFIRMED:
            raise NotConfirmedError(match.state)
        annul(match_id=match.pk, by=by, note=reason)
    elif act == Act.ABORT:
        resolve_dispute(match_id=match.pk, result=None, by=by, note=reason)
    else:
        if not wishes.ranks:
            raise WrongActError(_("Say how the match ended."))
        result = Result(ranks=wishes.ranks)
        if act == Act.RESOLVE:
            resolve_dispute(match_id=match.pk, result=result, by=by, note=reason)
        else:
            correct(match_id=match.pk, result=result, reason=reason, by=by)


def _match(case: Case) -> Match:
    match = case.match or (case.report.match if case.report is not None else None)
    if match is None:
        raise WrongActError(_("This case is not about a match."))
    return match


def _player(case: Case) -> Player:
    if case.report is None:
        raise WrongActError(_("This case is not about one player."))
    return meant_by(case.report.reported)
