"""The pages of challenges: what one has made and received, one of them, a new one, a link; and answering."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.page_actions import (
    account_of,
    action,
    for_those_who_accept,
    refusals_as_messages,
)
from challenges import answer, make, meeting
from challenges.models import Challenge, ChallengeState
from challenges.pages.cards import Card, cards_of, live_of, past_of, whole
from challenges.pages.forms import ChallengeForm, LinkForm
from foundation import clock
from foundation.page_parts import (
    ask_again,
    is_unchanged,
    nothing_new,
    page_before,
    show,
    version_of,
)
from foundation.refusals import RefusedError
from matchmaking.conduct.standing import cooling_until, latest_cooling
from matchmaking.pages.views.new_player import naming
from ratings.models import Ladder, Match, Player
from ratings.models.players import PlayerQuerySet

__all__ = [
    "accept",
    "ask_rematch",
    "cancel",
    "challenge",
    "challenge_player",
    "challenges",
    "decline",
    "here",
    "new_link",
    "take",
    "taken_link",
    "withdraw",
]


@login_required
@require_safe
def challenges(request: HttpRequest) -> HttpResponse:
    """Received, sent, agreed and past challenges of the account's players."""
    own = _own_players(request)
    ids = [player.pk for player in own]
    now = clock.now()
    live, past = live_of(ids, now), past_of(ids, now)
    if ids:
        meeting.note_seen(ids)
    cooling = latest_cooling(ids, now)
    version = version_of([one.version for one in [*live, *past]], cooling)
    if is_unchanged(request, version):
        return nothing_new()
    groups = [
        (_("Received"), [one for one in live if one.may_answer]),
        (_("Agreed"), [one for one in live if one.is_agreed]),
        (_("Sent"), [one for one in live if one.is_open and not one.is_received]),
        (_("Over"), past),
    ]
    duels = _duels([player.game_id for player in own])
    context = {
        "groups": [(title, cards) for title, cards in groups if cards],
        "games": [(one, one.game) for one in own if one.game_id in {it.game_id for it in duels}],
        "cooling_until": cooling,
        "now": now,
        "again": ask_again(request, version),
    }
    return show(request, "challenges/challenges.html", context, part="challenges/_challenges.html")


@login_required
@require_safe
def challenge(request: HttpRequest, pk: int) -> HttpResponse:
    """One challenge, for its two; leads to the match once that has begun."""
    card = _card(request, pk)
    if card.challenge.state == ChallengeState.STARTED and "seen" not in request.GET:
        return redirect("play-match", card.challenge.match_id)
    meeting.note_seen([card.own.pk])
    version = version_of(card.version)
    if is_unchanged(request, version):
        return nothing_new()
    context = {
        "card": card,
        "link": _link(request, card.challenge),
        "now": card.now,
        "again": ask_again(request, version),
    }
    return show(request, "challenges/challenge.html", context, part="challenges/_challenge.html")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_those_who_accept
def challenge_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Challenge a player, at once or for a time."""
    other = get_object_or_404(Player.objects.in_use().select_related("game"), pk=pk)
    own = Player.objects.filter(game=other.game_id, user=account_of(request)).first()
    ladders = _duels([other.game_id])
    if own is not None and own.pk == other.pk:
        raise Http404
    form = ChallengeForm(request.POST or None, ladders=ladders)
    if request.method == "POST" and own is not None and form.is_valid():
        try:
            made = make.challenge(player=own, other=other, wanted=form.wanted)
        except RefusedError as refusal:
            form.add_error(None, refusal.on_pages)
        else:
            messages.success(request, _("You have sent the challenge."))
            return redirect("challenge", made.pk)
    context = {
        "other": other,
        "own": own,
        "game": other.game,
        "ladders": ladders,
        "form": form,
        "cooling_until": None if own is None else cooling_until(own.pk),
    }
    return render(request, "challenges/new.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_those_who_accept
def new_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a challenge with a link, as a player of the account."""
    own = get_object_or_404(_own_players(request), pk=pk)
    ladders = _duels([own.game_id])
    form = LinkForm(request.POST or None, ladders=ladders)
    if request.method == "POST" and form.is_valid():
        try:
            made = make.open_link(player=own, wanted=form.wanted)
        except RefusedError as refusal:
            form.add_error(None, refusal.on_pages)
        else:
            return redirect("challenge", made.pk)
    context = {
        "other": None,
        "own": own,
        "game": own.game,
        "ladders": ladders,
        "form": form,
        "cooling_until": cooling_until(own.pk),
    }
    return render(request, "challenges/new.html", context)


@require_safe
def taken_link(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a link: who challenges, to what. Whoever is signed out, or has no name in the game, gets one first,
    and comes back.
    """
    found = whole().filter(code=answer.plain_code(code)).first()
    own = None
    if found is not None and request.user.is_authenticated:
        own = Player.objects.filter(game=found.ladder.game_id, user=account_of(request)).first()
        if own is not None and own.pk in found.players:
            return redirect("challenge", found.pk)
    is_open = (
        found is not None
        and found.state == ChallengeState.OPEN
        and found.challenged_id is None
        and found.expires_at > clock.now()
    )
    context = {"challenge": found if is_open else None, "own": own, "code": code}
    if found is not None and is_open and own is None and request.user.is_authenticated:
        context |= naming(request, found.ladder.game, then=request.path)
    return render(request, "challenges/link.html", context, status=200 if is_open else 404)


@action
@for_those_who_accept
def take(request: HttpRequest, code: str) -> HttpResponse:
    """Accept the challenge of a link."""
    found = get_object_or_404(whole(), code=answer.plain_code(code))
    own = Player.objects.filter(game=found.ladder.game_id, user=account_of(request)).first()
    if own is None:
        return redirect("challenge-link", code)
    try:
        answer.take(code=code, player=own)
    except RefusedError as refusal:
        messages.error(request, refusal.on_pages)
        return redirect("challenge-link", code)
    return redirect("challenge", found.pk)


@action
@for_those_who_accept
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept a challenge."""
    return _act(request, pk, answer.accept)


@action
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Decline a challenge."""
    return _act(request, pk, answer.decline, leads_back=True)


@action
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a challenge back."""
    return _act(request, pk, answer.withdraw, leads_back=True)


@action
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Call off what was agreed."""
    return _act(request, pk, answer.cancel, leads_back=True)


@action
def here(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that one is there."""
    return _act(request, pk, meeting.say_here)


@action
@for_those_who_accept
def ask_rematch(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for another match with sides swapped; accept where the other has asked."""
    match = get_object_or_404(Match, pk=pk, participants__player__user=account_of(request))
    own = get_object_or_404(
        Player.objects.select_related("game"),
        user=account_of(request),
        participations__match=match,
    )
    try:
        made, is_others = make.rematch(player=own, match_id=match.pk)
        if is_others:
            answer.accept(challenge_id=made.pk, player=own)
    except RefusedError as refusal:
        messages.error(request, refusal.on_pages)
        return redirect("play-match", match.pk)
    return redirect("challenge", made.pk)


def _act(
    request: HttpRequest,
    pk: int,
    act: Callable[..., Challenge],
    *,
    leads_back: bool = False,
) -> HttpResponse:
    """Let the account's player do something, and go to where that is seen."""
    card = _card(request, pk)
    with refusals_as_messages(request):
        act(challenge_id=pk, player=card.own)
        if leads_back:
            messages.success(request, _("Done."))
    before = page_before(request)
    if leads_back:
        is_page = before and before != reverse("challenge", args=[pk])
        return redirect(before if is_page else reverse("challenges"))
    return redirect("challenge", pk)


def _card(request: HttpRequest, pk: int) -> Card:
    """A challenge as the account's player sees it; 404 for anybody else."""
    found = whole().filter(pk=pk).first()
    if found is None:
        raise Http404
    both = [one for one in (found.challenger, found.challenged) if one is not None]
    own = [one.pk for one in both if one.user_id == request.user.pk]
    cards = cards_of([found], own, clock.now())
    if not cards:
        raise Http404
    return cards[0]


def _own_players(request: HttpRequest) -> PlayerQuerySet:
    own = Player.objects.filter(user=account_of(request), merged_into=None)
    return own.select_related("game").order_by("game__name", "pk")


def _duels(games: list[int]) -> list[Ladder]:
    """Ladders of these games on which two players meet."""
    two = Ladder.objects.in_use().by_results().filter(game__in=games, team_count=2, team_size=1)
    return list(two.select_related("game").order_by("name", "pk"))


def _link(request: HttpRequest, found: Challenge) -> str:
    """The address to hand on; empty where it leads nowhere."""
    if found.code is None or found.state != ChallengeState.OPEN:
        return ""
    return request.build_absolute_uri(reverse("challenge-link", args=[found.code]))
