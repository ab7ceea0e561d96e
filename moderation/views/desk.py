"""The desk: lists of what waits, and a case with its evidence and what can be done about it."""

from collections.abc import Callable
from datetime import UTC, datetime, time
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.entrance.fresh import ask_again, is_fresh
from accounts.factors.duty import is_overdue
from accounts.own_matters import OwnMatterError
from accounts.page_actions import account_of, refusals_as_messages
from foundation import clock
from foundation.refusals import RefusedError
from moderation.desk import cases
from moderation.desk.acts import Wishes, acts_for, changes_name, chosen_of
from moderation.desk.decide import can_be_undone, decide, may_undo, undo
from moderation.desk.evidence import Evidence, evidence_for
from moderation.forms import DecisionForm
from moderation.models import Act, Case, Decision, Queue
from ratings.matches.revising.annul_many import preview_many
from ratings.models import SuspendedFrom

__all__ = ["decide_case", "desk", "release_case", "show_case", "take_case", "undo_decision"]

P = ParamSpec("P")
_PAGE = 50


def for_moderators(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let in who has the right, and as in the admin nobody who owes a second factor."""

    @wraps(view)
    def answer(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        user = account_of(request)
        if not user.has_perm(cases.MAY_DECIDE):
            raise PermissionDenied
        if is_overdue(user):
            messages.warning(request, _("The desk asks for a second factor. Set one up."))
            return redirect("mfa_index")
        return view(request, *args, **kwargs)

    return login_required(answer)


@require_safe
@for_moderators
def desk(request: HttpRequest, queue: str = "") -> HttpResponse:
    """What waits, by list; the oldest first. Disputes that are new become cases here."""
    if queue and queue not in Queue.values:
        raise Http404
    cases.open_cases()
    unseen = cases.left_to_others(account_of(request))
    numbers = cases.counts(unseen)
    found = cases.waiting(Queue(queue) if queue else None).exclude(pk__in=unseen)
    page = Paginator(found, _PAGE).get_page(request.GET.get("page"))
    decided = Decision.objects.exclude(
        case__report__in=cases.reports_left_to_others(account_of(request))
    )
    context = {
        "tabs": [
            (f"{_('All')} ({sum(numbers.values())})", "/desk/", not queue),
            *(
                (f"{one.label} ({numbers[one]})", f"/desk/{one.value}/", queue == one)
                for one in Queue
            ),
        ],
        "page": page,
        "now": clock.now(),
        "decided": list(decided.select_related("case", "by").order_by("-pk")[:10]),
    }
    return render(request, "moderation/desk.html", context)


@require_safe
@for_moderators
def show_case(request: HttpRequest, pk: int) -> HttpResponse:
    """A case: what it is about, what speaks for and against, who has it, what was decided, what can be."""
    case = _case(pk)
    return _lead_away(request, case) or _show(request, case)


@require_POST
@for_moderators
def take_case(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a case for some minutes."""
    _case(pk)
    with refusals_as_messages(request):
        cases.take(case_id=pk, by=account_of(request))
    return redirect("desk-case", pk)


@require_POST
@for_moderators
def release_case(request: HttpRequest, pk: int) -> HttpResponse:
    """Give it back."""
    cases.release(case_id=_case(pk).pk, by=account_of(request))
    return redirect("desk")


@require_POST
@for_moderators
def decide_case(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide it. Several matches are shown first, and annulled when the same is sent once more."""
    case, user = _case(pk), account_of(request)
    if (elsewhere := _lead_away(request, case)) is not None:
        return elsewhere
    if changes_name(case, request.POST.get("act")) and not is_fresh(request):
        return ask_again(request)
    evidence = evidence_for(case)
    form = _form(request, case, evidence)
    if not form.is_valid():
        return _show(request, case, form, evidence)
    said = form.cleaned_data
    act, wishes = Act(said["act"]), _wishes(said)
    try:
        if act == Act.ANNUL_MANY and wishes.seen is None:
            preview = preview_many(chosen_of(case, wishes))
            return _show(request, case, form, evidence, preview=preview)
        decide(case_id=case.pk, by=user, act=act, reason=said["reason"], wishes=wishes)
    except RefusedError as refusal:
        form.add_error(None, str(refusal))
        return _show(request, case, form, evidence)
    messages.success(request, _("Decided. Those whom it concerns are told."))
    return redirect("desk-case", case.pk)


@require_POST
@for_moderators
def undo_decision(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a decision back."""
    decision = get_object_or_404(Decision, pk=pk)
    if decision.name_change_id is not None and not is_fresh(request):
        return ask_again(request)
    with refusals_as_messages(request):
        undo(decision_id=pk, by=account_of(request), reason=request.POST.get("reason", ""))
        messages.success(request, _("Taken back. The case waits again."))
    return redirect("desk-case", decision.case_id)


def _lead_away(request: HttpRequest, case: Case) -> HttpResponse | None:
    """Back to the desk from a case that is not for this moderator to read; None from others."""
    try:
        cases.check_may_see(case, account_of(request))
    except OwnMatterError as refusal:
        messages.error(request, refusal.on_pages)
        return redirect("desk")
    return None


def _case(pk: int) -> Case:
    related = (
        "taken_by",
        "match__ladder__game",
        "report__reported__game",
        "report__reporter",
        "report__match__ladder",
        "appeal__player__game",
        "appeal__sanction__player",
        "appeal__sanction__imposed_by",
        "appeal__name_change__reset_by",
        "conduct_appeal__offence__player__game",
        "conduct_appeal__offence__match",
    )
    return get_object_or_404(Case.objects.select_related(*related), pk=pk)


def _form(request: HttpRequest, case: Case, evidence: Evidence) -> DecisionForm:
    teams = sorted({one.team for one in evidence.participants})
    results: list[tuple[str, str]] = []
    if len(teams) == 2:  # more have places, which the admin asks for
        names = [
            ", ".join(one.player.name for one in evidence.participants if one.team == team)
            for team in teams
        ]
        won = _("%(names)s won")
        results = [
            ("0,1", won % {"names": names[0]}),
            ("1,0", won % {"names": names[1]}),
            ("0,0", _("Draw")),
        ]
    acts = acts_for(case, account_of(request))
    if not results:
        acts = [act for act in acts if act not in {Act.CORRECT, Act.RESOLVE}]
    return DecisionForm(request.POST or None, acts=acts, results=results)


def _wishes(said: dict[str, Any]) -> Wishes:
    since = said.get("since")
    result = said.get("result") or ""
    return Wishes(
        also=Act(said["also"]) if said.get("also") else None,
        suspended_from=SuspendedFrom(said["suspended_from"])
        if said.get("suspended_from")
        else None,
        days=said.get("days"),
        minutes=said.get("minutes"),
        ranks=tuple(int(rank) for rank in result.split(",")) if result else (),
        since=datetime.combine(since, time.min, UTC) if since else None,
        seen=said.get("seen"),
    )


def _show(
    request: HttpRequest,
    case: Case,
    form: DecisionForm | None = None,
    evidence: Evidence | None = None,
    **more: object,
) -> HttpResponse:
    evidence = evidence or evidence_for(case)
    user, now = account_of(request), clock.now()
    is_taken = bool(case.taken_by_id and case.taken_until and case.taken_until > now)
    refused = ""
    try:
        cases.check_may_decide(case, user)
    except RefusedError as refusal:
        refused = str(refusal)
    decisions = list(case.decisions.select_related("by", "undone_by").order_by("-pk"))
    is_settled = case.decided_at is None and not cases.waiting().filter(pk=case.pk).exists()
    context = {
        "case": case,
        "evidence": evidence,
        "form": form or _form(request, case, evidence),
        "is_own": is_taken and case.taken_by_id == user.pk,
        "is_others": is_taken and case.taken_by_id != user.pk,
        "refused": refused,
        "decisions": [(one, can_be_undone(one) and may_undo(one, user)) for one in decisions],
        "is_settled": is_settled,
        "now": now,
        **more,
    }
    return render(request, "moderation/case.html", context)
