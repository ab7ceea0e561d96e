"""What speaks for and against, beside a case: the match, the players' records, and what was between them before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Count, Model, Q, QuerySet

from matchmaking.models import Conduct, Offence
from moderation.models import Act, Case, Decision, NameChange, PlayerReport
from ratings.models import (
    FormerName,
    Match,
    MatchState,
    Participant,
    Player,
    Report,
    Sanction,
    Statement,
)

__all__ = ["Evidence", "Record", "evidence_for"]

_M = TypeVar("_M", bound=Model)
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Record:
    """One player's past.

    matches, left     that count, and of which it left early
    overruled         disputes decided against it
    received, upheld  reports of it, and those after which something was done
    made, made_upheld reports by it, the same
    conduct           its conduct score; None: it has none
    """

    player: Player
    matches: int
    left: int
    overruled: int
    received: int
    upheld: int
    made: int
    made_upheld: int
    conduct: Conduct | None
    offences: Sequence[Offence]
    sanctions: Sequence[Sanction]
    former_names: Sequence[FormerName]
    resets: Sequence[NameChange]
    decisions: Sequence[Decision]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is shown beside a case.

    match         of the case, with who took part, what each reported and stated
    records       of the players whom the case is about; who is reported first
    together      the latest matches of these two
    """

    match: Match | None
    participants: Sequence[Participant]
    reports: Sequence[Report]
    statements: Sequence[Statement]
    records: Sequence[Record]
    together: Sequence[Match]


def evidence_for(case: Case) -> Evidence:
    """Read it. Some ten queries a player, of two at most but in disputes, where there are as many as players."""
    report = case.report
    match = case.match or (report.match if report is not None else None)
    if case.conduct_appeal is not None:
        match = case.conduct_appeal.offence.match
    participants: list[Participant] = []
    if match is not None:
        rows = match.participants.select_related("player").order_by("team", "pk")
        participants = list(rows)
    if report is not None:
        people = [report.reported, report.reporter]
    elif case.appeal is not None:
        people = [case.appeal.player]
    elif case.conduct_appeal is not None:
        people = [case.conduct_appeal.offence.player]
    else:
        people = [one.player for one in participants][:_SHOWN]
    together: list[Match] = []
    if len(people) == 2:
        first, second = (Participant.objects.filter(player=one).values("match") for one in people)
        met = Match.objects.filter(Q(pk__in=first) & Q(pk__in=second)).select_related("ladder")
        together = list(met.order_by("-pk")[:_SHOWN])
    return Evidence(
        match=match,
        participants=participants,
        reports=list(_said(Report.objects.filter(match=match))) if match else [],
        statements=list(_said(Statement.objects.filter(match=match))) if match else [],
        records=[_record(player) for player in people],
        together=together,
    )


def _said(words: QuerySet[_M]) -> QuerySet[_M]:
    return words.select_related("player").order_by("pk")


def _record(player: Player) -> Record:
    played = Participant.objects.filter(player=player, match__state=MatchState.CONFIRMED)
    numbers = played.aggregate(matches=Count("pk"), left=Count("pk", filter=Q(left_early=True)))
    done = Q(case__decisions__undone_at=None) & Q(case__decisions__isnull=False)
    done &= ~Q(case__decisions__act=Act.NOTHING)
    received = PlayerReport.objects.filter(reported=player).aggregate(
        all=Count("pk", distinct=True), upheld=Count("pk", filter=done, distinct=True)
    )
    made = PlayerReport.objects.filter(reporter=player).aggregate(
        all=Count("pk", distinct=True), upheld=Count("pk", filter=done, distinct=True)
    )
    about = Q(case__report__reported=player) | Q(case__appeal__player=player)
    decisions = Decision.objects.filter(about).select_related("case", "by")
    return Record(
        player=player,
        matches=numbers["matches"],
        left=numbers["left"],
        overruled=Report.objects.filter(player=player, overruled=True).count(),
        received=received["all"],
        upheld=received["upheld"],
        made=made["all"],
        made_upheld=made["upheld"],
        conduct=Conduct.objects.filter(player=player).first(),
        offences=list(Offence.objects.filter(player=player).order_by("-pk")[:_SHOWN]),
        sanctions=list(
            Sanction.objects.filter(player=player)
            .select_related("imposed_by")
            .order_by("-pk")[:_SHOWN]
        ),
        former_names=list(player.former_names.order_by("-pk")[:_SHOWN]),
        resets=list(
            NameChange.objects.filter(player=player, is_reset=True).order_by("-pk")[:_SHOWN]
        ),
        decisions=list(decisions.order_by("-pk")[:_SHOWN]),
    )
