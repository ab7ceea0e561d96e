"""Pages of players: reporting somebody, one's own reports and appeals, one's name."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.page_actions import account_of
from foundation import clock
from foundation.names import isolate
from foundation.refusals import RefusedError
from matchmaking.models import OffenceAppeal
from moderation.appeal import appeal_against_reset, appeal_against_sanction, appealable
from moderation.forms import AppealForm, NameForm, ReportForm
from moderation.models import Appeal, Decision, NameChange, PlayerReport, ReportKind
from moderation.rename import changes_left, rename
from moderation.report import latest_matches, report_player
from ratings.merging.meant import meant_by
from ratings.models import Player, Sanction

__all__ = [
    "appeal_name",
    "appeal_sanction",
    "change_name",
    "own_cases",
    "report",
]

_FORM = require_http_methods(["GET", "HEAD", "POST"])


@_FORM
@login_required
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Report a player of a game in which the account plays."""
    other = meant_by(get_object_or_404(Player.objects.in_use().select_related("game"), pk=pk))
    own = get_object_or_404(Player, game=other.game_id, user=account_of(request))
    if own.pk == other.pk:
        raise Http404
    matches = latest_matches(own, other)
    form = ReportForm(
        request.POST or None,
        matches=matches,
        initial={name: request.GET[name] for name in ("kind", "match") if name in request.GET},
    )
    if form.is_valid():
        said = form.cleaned_data
        try:
            report_player(
                reporter=own,
                reported=other,
                kind=ReportKind(said["kind"]),
                text=said["text"],
                match_id=said.get("match"),
            )
        except RefusedError as refusal:
            form.add_error(None, str(refusal))
        else:
            words = _("You've reported %(name)s. A moderator will look at it.")
            messages.success(request, words % {"name": isolate(other.name)})
            return redirect("own-cases")
    return render(request, "moderation/report.html", {"form": form, "other": other})


@require_safe
@login_required
def own_cases(request: HttpRequest) -> HttpResponse:
    """What the account's players have reported and appealed against, and can appeal against."""
    players = list(Player.objects.filter(user=account_of(request)).select_related("game"))
    reports = PlayerReport.objects.filter(reporter__in=players).select_related(
        "reported", "match", "case"
    )
    appeals = Appeal.objects.filter(player__in=players).select_related(
        "player__game", "sanction__player", "name_change"
    )
    that_hold = Prefetch("case__decisions", Decision.objects.filter(undone_at=None))
    # Points are appealed against where they are shown; what came of it stands here, too.
    offences = OffenceAppeal.objects.filter(offence__player__in=players).select_related(
        "offence__player__game"
    )
    sanctions, resets = appealable(players)
    now = clock.now()
    context = {
        "reports": list(reports.order_by("-pk")[:50]),
        "appeals": [
            (one, next(iter(one.case.decisions.all()), None))
            for one in appeals.prefetch_related("case", that_hold).order_by("-pk")[:50]
        ],
        "conduct_appeals": list(offences.order_by("-pk")[:50]),
        "sanctions": sanctions,
        "resets": resets,
        "players": [(one, *changes_left(one, now)) for one in players if not one.name_locked],
    }
    return render(request, "moderation/own_cases.html", context)


@_FORM
@login_required
def appeal_sanction(request: HttpRequest, pk: int) -> HttpResponse:
    """Appeal against a sanction of one's own."""
    sanction = get_object_or_404(
        Sanction.objects.exclude(kind="note"), pk=pk, player__user=account_of(request)
    )
    return _appeal(
        request,
        sanction,
        lambda text: appeal_against_sanction(
            player=sanction.player, sanction_id=sanction.pk, text=text
        ),
    )


@_FORM
@login_required
def appeal_name(request: HttpRequest, pk: int) -> HttpResponse:
    """Appeal against a reset of one's own name."""
    change = get_object_or_404(NameChange, pk=pk, player__user=account_of(request), is_reset=True)
    return _appeal(
        request,
        change,
        lambda text: appeal_against_reset(player=change.player, change_id=change.pk, text=text),
    )


def _appeal(
    request: HttpRequest, against: Sanction | NameChange, act: Callable[[str], object]
) -> HttpResponse:
    form = AppealForm(request.POST or None)
    if form.is_valid():
        try:
            act(form.cleaned_data["text"])
        except RefusedError as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Your appeal is with the moderators now."))
            return redirect("own-cases")
    return render(request, "moderation/appeal.html", {"form": form, "against": against})


@_FORM
@login_required
def change_name(request: HttpRequest, pk: int) -> HttpResponse:
    """Give one's own player another name."""
    player = get_object_or_404(
        Player.objects.in_use().select_related("game"), pk=pk, user=account_of(request)
    )
    left, at = changes_left(player, clock.now())
    form = NameForm(request.POST or None, initial={"name": player.name})
    if form.is_valid():
        try:
            renamed = rename(player=player, name=form.cleaned_data["name"])
        except RefusedError as refusal:
            form.add_error("name", str(refusal))
        else:
            words = _("You play as %(name)s from now on.")
            messages.success(request, words % {"name": isolate(renamed.name)})
            return redirect(renamed)
    context = {"form": form, "player": player, "left": left, "again_at": at}
    return render(request, "moderation/change_name.html", context)
