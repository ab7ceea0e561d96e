"""What waits at the desk, and who has it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from foundation.postgresql.transactions import briefly
from matchmaking.models import AppealState, OffenceAppeal
from moderation.models import Case, Decision, PlayerReport, Queue
from moderation.refusals import CaseDecidedError, CaseTakenError, OwnDecisionError
from ratings.models import Match, MatchState, Participant
from ratings.players.own_matters import check_not_own, left_to_another, own_players

__all__ = [
    "MAY_DECIDE",
    "check_may_decide",
    "check_may_see",
    "check_untaken",
    "concerned",
    "counts",
    "left_to_others",
    "open_cases",
    "release",
    "reports_left_to_others",
    "take",
    "waiting",
]

MAY_DECIDE = "moderation.decide_case"
_TAKEN_FOR = timedelta(minutes=15)
# What a decision leads to, and can be appealed against.
_OUTCOMES = ("sanction", "name_change", "offence")


def open_cases() -> None:
    """Make a case of every disputed match, and every appeal against points, that has none. Two queries mostly."""
    new = Match.objects.filter(state=MatchState.DISPUTED, dispute_case=None)
    Case.objects.bulk_create(
        [Case(queue=Queue.DISPUTE, match_id=pk) for pk in new.values_list("pk", flat=True)],
        ignore_conflicts=True,
    )
    appeals = OffenceAppeal.objects.filter(state=AppealState.OPEN, case=None)
    Case.objects.bulk_create(
        [
            Case(queue=Queue.APPEAL, conduct_appeal_id=pk)
            for pk in appeals.values_list("pk", flat=True)
        ],
        ignore_conflicts=True,
    )


def waiting(queue: Queue | None = None) -> QuerySet[Case]:
    """Undecided cases, the oldest first, with what they are about. Disputes that ended otherwise are none."""
    is_open = Q(match=None) | Q(match__state=MatchState.DISPUTED)
    is_undecided = Q(conduct_appeal=None) | Q(conduct_appeal__state=AppealState.OPEN)
    found = Case.objects.filter(is_open, is_undecided, decided_at=None)
    if queue is not None:
        found = found.filter(queue=queue)
    about = found.select_related(
        "taken_by",
        "match__ladder__game",
        "report__reported__game",
        "report__reporter",
        "report__match__ladder",
        "appeal__player__game",
        "appeal__sanction__player",
        "appeal__name_change",
        "conduct_appeal__offence__player__game",
    )
    return about.order_by("pk")


def counts(unseen: Collection[int] = ()) -> dict[Queue, int]:
    """How many wait, by list, but for those that are `unseen`. One query."""
    found = waiting().exclude(pk__in=unseen).order_by().values_list("queue").annotate(Count("pk"))
    return {**dict.fromkeys(Queue, 0), **{Queue(queue): number for queue, number in found}}


def take(*, case_id: int, by: User) -> Case:
    """Take a case for some minutes, or for some more. Raises CaseTakenError, CaseDecidedError, OwnMatterError,
    OwnDecisionError and Case.DoesNotExist.
    """
    with briefly() as now:
        case = hold(case_id)
        check_untaken(case, by, now)
        check_may_decide(case, by)
        case.taken_by, case.taken_until = by, now + _TAKEN_FOR
        case.save(update_fields=["taken_by", "taken_until"])
    return case


def release(*, case_id: int, by: User) -> None:
    """Give a case back; nothing happens where it is another's."""
    Case.objects.filter(pk=case_id, taken_by=by).update(taken_by=None, taken_until=None)


def hold(case_id: int) -> Case:
    """Lock a case until the transaction ends."""
    held = Case.objects.select_for_update(of=("self",)).select_related(
        "match",
        "taken_by",
        "report__reported",
        "report__reporter",
        "report__match",
        "appeal__player",
        "appeal__sanction",
        "appeal__name_change",
        "conduct_appeal__offence__player",
    )
    return held.get(pk=case_id)


def check_untaken(case: Case, by: User, now: datetime) -> None:
    """Raise where the case, which is locked, is decided, or another moderator has it now."""
    if case.decided_at is not None:
        raise CaseDecidedError
    is_others = case.taken_by is not None and case.taken_by_id != by.pk
    if is_others and case.taken_by and case.taken_until and case.taken_until > now:
        raise CaseTakenError(case.taken_by.get_username(), case.taken_until)


def concerned(case: Case) -> set[int]:
    """The players whom a case is about, and who have reported it, or what came of a report and is appealed against."""
    return _concerned([case])[case.pk]


def _concerned(cases: Sequence[Case]) -> dict[int, set[int]]:
    """The same of each, by its number. Two queries, or fewer."""
    reports = _reports_behind(cases)
    played = _played(
        [*(one.match_id for one in cases), *(one.match_id for one in reports.values())]
    )
    found = {}
    for case in cases:
        about = set[int]() if case.match_id is None else set(played[case.match_id])
        if case.appeal is not None:
            about.add(case.appeal.player_id)
        if case.conduct_appeal is not None:
            about.add(case.conduct_appeal.offence.player_id)
        if (report := reports.get(case.pk)) is not None:
            about |= _concerned_by(report, played)
        found[case.pk] = about
    return found


def _concerned_by(report: PlayerReport, played: Mapping[int, set[int]]) -> set[int]:
    others = set[int]() if report.match_id is None else played[report.match_id]
    return {report.reporter_id, report.reported_id} | others


def _reports_behind(cases: Iterable[Case]) -> dict[int, PlayerReport]:
    """The reports that these cases are about, or of which came what an appeal is against, by the number of the case."""
    found, against = dict[int, PlayerReport](), dict[tuple[str, int | None], int]()
    for case in cases:
        if case.report is not None:
            found[case.pk] = case.report
        if case.appeal is not None:
            against["sanction", case.appeal.sanction_id] = case.pk
            against["name_change", case.appeal.name_change_id] = case.pk
        if case.conduct_appeal is not None:
            against["offence", case.conduct_appeal.offence_id] = case.pk
    by_kind = {
        f"{kind}__in": [pk for name, pk in against if name == kind and pk is not None]
        for kind in _OUTCOMES
    }
    if any(by_kind.values()):
        led = Q()
        for name, ids in by_kind.items():
            led |= Q(**{name: ids})
        for decision in Decision.objects.filter(led).select_related("case__report"):
            for kind in _OUTCOMES:
                pk = against.get((kind, getattr(decision, f"{kind}_id")))
                if pk is not None and decision.case.report is not None:
                    found[pk] = decision.case.report
    return found


def _played(matches: Iterable[int | None]) -> defaultdict[int, set[int]]:
    """Who has played these matches. One query, or none."""
    found = defaultdict[int, set[int]](set)
    if ids := {pk for pk in matches if pk is not None}:
        rows = Participant.objects.filter(match__in=ids).values_list("match", "player")
        for match, player in rows:
            found[match].add(player)
    return found


def check_may_see(case: Case, by: User) -> None:
    """Raise OwnMatterError where it concerns the moderator's own player, and another could decide it: who has reported
    the player, and what opponents have said of a match, is not for the player to read.
    """
    check_not_own(by, concerned(case), right=MAY_DECIDE, by_staff=False)


def left_to_others(by: User) -> list[int]:
    """Numbers of the undecided cases that the moderator may not see. A few queries, however many there are."""
    own = own_players(by)
    is_own = (
        Q(report__reported__in=own)
        | Q(match__participants__player__in=own)
        | Q(report__match__participants__player__in=own)
    )
    reported = Q(case__report__reporter__in=own) | Q(
        case__report__match__participants__player__in=own
    )
    led_to = Decision.objects.filter(reported)
    is_own |= Q(appeal__sanction__in=led_to.values("sanction"))
    is_own |= Q(appeal__name_change__in=led_to.values("name_change"))
    is_own |= Q(conduct_appeal__offence__in=led_to.values("offence"))
    return _left(by, _concerned(list(waiting().filter(is_own).distinct())))


def reports_left_to_others(by: User) -> list[int]:
    """Numbers of the reports, also of decided ones, by which the moderator would read who has reported the own player.
    A few queries, however many there are.
    """
    own = own_players(by)
    about = Q(reported__in=own) | Q(match__participants__player__in=own)
    found = list(PlayerReport.objects.filter(about).distinct())
    played = _played([one.match_id for one in found])
    return _left(by, {one.pk: _concerned_by(one, played) for one in found})


def _left(by: User, concerned: Mapping[int, Collection[int]]) -> list[int]:
    return left_to_another(by, concerned, right=MAY_DECIDE, by_staff=False)


def check_may_decide(case: Case, by: User) -> None:
    """Raise OwnMatterError where it concerns the moderator's own player, and OwnDecisionError where an appeal is
    against what the moderator has decided, as long as there is another who could.
    """
    check_may_see(case, by)
    if by.pk in _decided_by(case) and User.objects.with_perm(MAY_DECIDE).exclude(pk=by.pk).exists():
        raise OwnDecisionError


def _decided_by(case: Case) -> Collection[int | None]:
    """Who decided what an appeal is against."""
    if case.conduct_appeal is not None:
        return {case.conduct_appeal.offence.decided_by_id}
    appeal = case.appeal
    if appeal is None:
        return ()
    return {
        appeal.sanction.imposed_by_id if appeal.sanction else None,
        appeal.name_change.reset_by_id if appeal.name_change else None,
    }
