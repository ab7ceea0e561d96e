"""What one thinks of playing with others, on the pages: each is shown to its author only."""

from dataclasses import dataclass, field

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.page_actions import account_of, action, number_in, refusals_as_messages
from foundation.names import isolate
from matchmaking.feedback.ask import Question
from matchmaking.feedback.give import feedback_by, give_feedback, take_back
from matchmaking.models import FeedbackTag
from ratings.models import Player

__all__ = ["give", "given", "withdraw"]

_ANSWERS = {"yes": True, "no": False, "skip": None}
_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class FeedbackList:
    """What a player of the account has said, the latest first. `before`: where the next page begins; None: the end."""

    player: Player
    said: list[Question] = field(default_factory=list)
    before: int | None = None


@login_required
@require_safe
def given(request: HttpRequest) -> HttpResponse:
    """All that the account's players have said of others, one list a game."""
    context = {"lists": _lists(account_of(request), request.GET.get("before", ""))}
    return render(request, "play/feedback/given.html", context)


@action
def give(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an answer to the question after a match, or another than before."""
    other, own = _both(request, pk)
    answer = request.POST.get("enjoyed", "")
    if answer not in _ANSWERS:
        messages.error(request, _("Choose yes, no or skip."))
        return _back(request)
    tags = [tag for tag in request.POST.getlist("tags") if tag in FeedbackTag.values]
    with refusals_as_messages(request):
        give_feedback(author=own, subject_id=other.pk, enjoyed=_ANSWERS[answer], tags=tags)
        if _ANSWERS[answer] is not None:
            told = _("Saved what you said of %(name)s. Nobody else can see it.")
            messages.success(request, told % {"name": isolate(other.name)})
    return _back(request)


@action
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete what was said of somebody."""
    other, own = _both(request, pk)
    if take_back(author=own, subject_id=other.pk):
        told = _("Deleted what you said of %(name)s.")
        messages.success(request, told % {"name": isolate(other.name)})
    return _back(request)


def _both(request: HttpRequest, pk: int) -> tuple[Player, Player]:
    """Whom it is about, and the account's player in that game; 404 where there is none."""
    other = get_object_or_404(Player, pk=pk)
    return other, get_object_or_404(Player, game=other.game_id, user=account_of(request))


def _back(request: HttpRequest) -> HttpResponse:
    """To the page on which it was pressed."""
    if match := number_in(request, "match"):
        return redirect("play-match", match)
    back = request.POST.get("back", "")
    is_here = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back if is_here else "feedback")


def _lists(account: User, before: str) -> list[FeedbackList]:
    """Two queries, and one for each game."""
    players = Player.objects.filter(user=account).select_related("game").order_by("game__name")
    found = []
    for player in players:
        rows = feedback_by([player.pk])
        if before.isascii() and before.isdigit() and len(before) < 19:
            rows = rows.filter(pk__lt=int(before))
        said = list(rows[: _A_PAGE + 1])
        shown = [Question(row.subject, row, True) for row in said[:_A_PAGE]]
        more = said[_A_PAGE - 1].pk if len(said) > _A_PAGE else None
        found.append(FeedbackList(player, shown, more))
    return found
