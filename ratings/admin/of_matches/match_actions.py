"""What operators decide of a match: a dispute, that it ends without result, or that it counts no longer."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.admin_actions import AdminAction, NoteForm, carry_out, require, was_done_by
from accounts.audited_admin import actor_of
from accounts.models import User
from ratings.admin.results.places import NOT_PLAYED, VerdictOfMany
from ratings.matches import decide
from ratings.matches.refusals import MatchDecidedError, NotConfirmedError
from ratings.matches.result import Result
from ratings.matches.revising.annulment_preview import preview_annulment
from ratings.matches.summary import teams_of
from ratings.matches.verdict import PARTNER_TEAM
from ratings.models import OPEN, Match, MatchState, Participant, RatedBy, Report, Statement
from ratings.players.own_matters import check_not_own, own_matter
from ratings.wording import say

__all__ = ["abort", "actions_for", "annul", "own_match", "participants_of", "resolve", "state_now"]

TEMPLATES = "admin/ratings/match/"
DRAWN = "drawn"


def actions_for(match: Match) -> list[tuple[str, str]]:
    """Label and address of what can be decided of a match in its state."""
    if match.ladder.rated_by == RatedBy.EVENTS:
        # Its server tells how it went; it can only be left out.
        is_over = match.state == MatchState.CONFIRMED
        page = reverse("admin:ratings_match_annul", args=[match.pk])
        return [(_("Annul"), page)] if is_over else []
    ways = {
        MatchState.DISPUTED: [("resolve", _("Decide the dispute"))],
        MatchState.CONFIRMED: [
            *([] if match.partner else [("correct", _("Correct the result"))]),
            ("annul", _("Annul")),
        ],
        **{state: [("abort", _("Abort"))] for state in OPEN},
    }.get(MatchState(match.state), [])
    return [
        (label, reverse(f"admin:ratings_match_{name}", args=[match.pk])) for name, label in ways
    ]


def resolve(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Decide a disputed match: who won, a draw, the places of more than two teams, or not played."""
    match = _match(request, pk)
    participants = participants_of([match])[match.pk]
    is_of_two = bool(match.partner) or len({one.team for one in participants}) == 2
    form: VerdictForm | VerdictOfMany = (
        VerdictForm(request.POST or None, participants=participants, partner=match.partner)
        if is_of_two
        else VerdictOfMany(request.POST or None, participants=participants)
    )

    def act(actor: User, said: dict[str, Any]) -> str:
        found = decide.resolve_dispute(match_id=pk, result=form.result, by=actor, note=said["note"])
        if found.state == MatchState.CONFIRMED:
            return _("The dispute is decided. The match counts from now on.")
        return _("The dispute is decided: the match was not played, and does not count.")

    admin_action = AdminAction(
        title=_("Decide the dispute of match %(number)s") % {"number": pk},
        button=_("Decide"),
        template=TEMPLATES + "resolve.html",
        act=act,
        back=reverse("admin:ratings_match_disputes"),
        form=form,
        explain=lambda: state_now(pk),
        context={
            "participants": participants,
            "is_impossible": match.state != MatchState.DISPUTED,
            "is_of_two": is_of_two,
            "own_matter": own_match(request, participants),
        },
    )
    return carry_out(request, site, match, admin_action)


def abort(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """End a match that is being played, without result."""
    match = _match(request, pk)
    participants = participants_of([match])[pk]

    def act(actor: User, said: dict[str, Any]) -> str:
        found = decide.abort(match_id=pk, by=actor, note=said["note"])
        if not was_done_by(actor, target=match, action="match.aborted", note=said["note"]):
            raise MatchDecidedError(found.state)
        return _("The match was aborted. Its players can search again.")

    admin_action = AdminAction(
        title=_("Abort match %(number)s") % {"number": pk},
        button=_("Abort the match"),
        template=TEMPLATES + "abort.html",
        act=act,
        back=_page(match),
        form=NoteForm(request.POST or None),
        explain=lambda: state_now(pk),
        context={
            "participants": participants,
            "is_impossible": match.state not in OPEN,
            "own_matter": own_match(request, participants),
        },
    )
    return carry_out(request, site, match, admin_action)


def annul(request: HttpRequest, site: admin.AdminSite, pk: int) -> HttpResponse:
    """Let a match count no longer, after a page that says what will follow."""
    match = _match(request, pk)
    is_confirmed = match.state == MatchState.CONFIRMED
    participants = participants_of([match])[pk]

    def act(actor: User, said: dict[str, Any]) -> str:
        found = decide.annul(match_id=pk, by=actor, note=said["note"])
        if not was_done_by(actor, target=match, action="match.annulled", note=said["note"]):
            raise NotConfirmedError(found.state)
        return _("The match no longer counts. What follows from it is being recalculated.")

    admin_action = AdminAction(
        title=_("Annul match %(number)s") % {"number": pk},
        button=_("Annul the match"),
        template=TEMPLATES + "annul.html",
        act=act,
        back=_page(match),
        form=NoteForm(request.POST or None),
        explain=lambda: state_now(pk),
        context={
            "preview": preview_annulment(match) if is_confirmed else None,
            "participants": participants,
            "is_impossible": not is_confirmed,
            "own_matter": own_match(request, participants),
        },
    )
    return carry_out(request, site, match, admin_action)


class VerdictForm(NoteForm):
    """How a match of two teams ended, as an operator sees it."""

    def __init__(
        self, *args: Any, participants: list[Participant], partner: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        teams: dict[int, list[str]] = {PARTNER_TEAM: [partner]} if partner else {}
        for participant in participants:
            teams.setdefault(participant.team, []).append(participant.player.name)
        self.fields["outcome"] = forms.ChoiceField(
            label=_("The match"),
            choices=[
                *(
                    (str(team), _("%(names)s won") % {"names": ", ".join(names)})
                    for team, names in sorted(teams.items())
                ),
                (DRAWN, _("was a draw")),
                (NOT_PLAYED, _("was not played")),
            ],
            widget=forms.RadioSelect,
            error_messages={"required": _("Choose how the match ended.")},
        )
        self.order_fields(["outcome", "note"])

    @property
    def result(self) -> Result | None:
        """What a valid form says; None: not played."""
        outcome = self.cleaned_data["outcome"]
        if outcome == NOT_PLAYED:
            return None
        return Result(
            ranks=(0, 0) if outcome == DRAWN else (int(outcome != "0"), int(outcome != "1"))
        )


def participants_of(matches: list[Match]) -> dict[int, list[Participant]]:
    """The participants of these matches. Three queries.

    Each has `said`: the report, or None; `stated`: what was told to the operator of a dispute, or None; and `outcome`:
    how a decided match ended for the player, else empty.
    """
    participants: dict[int, list[Participant]] = {match.pk: [] for match in matches}
    reports = Report.objects.filter(match__in=participants)
    said = {(report.match_id, report.player_id): report for report in reports}
    statements = Statement.objects.filter(match__in=participants)
    stated = {(statement.match_id, statement.player_id): statement for statement in statements}
    people = Participant.objects.filter(match__in=participants).order_by("match_id", "team", "pk")
    for participant in people.select_related("player"):
        participant.said = said.get((participant.match_id, participant.player_id))  # type: ignore[attr-defined]
        participant.stated = stated.get((participant.match_id, participant.player_id))  # type: ignore[attr-defined]
        participants[participant.match_id].append(participant)
    for match in matches:
        for team in teams_of(participants[match.pk], match):
            for participant in team.members:
                participant.outcome = team.outcome.label if team.outcome else ""  # type: ignore[attr-defined]
    return participants


def own_match(request: HttpRequest, participants: Iterable[Participant]) -> str:
    """Why the operator does not decide this match: an own player takes part. Empty where not. One query mostly."""
    players = [one.player_id for one in participants]
    return own_matter(lambda: check_not_own(actor_of(request), players))


def _match(request: HttpRequest, pk: int) -> Match:
    require(request, ["ratings.change_match"])
    return get_object_or_404(Match.objects.select_related("ladder__game"), pk=pk)


def _page(match: Match) -> str:
    return reverse("admin:ratings_match_change", args=[match.pk])


def state_now(pk: int) -> str:
    """What others have made of the match since the page was opened."""
    match = Match.objects.get(pk=pk)
    return _("Match %(number)s is: %(state)s.") % {
        "number": say(pk),
        "state": match.get_state_display(),
    }
