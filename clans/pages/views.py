"""The clans of a game, one clan, and the forms with which one is founded and changed."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.page_actions import account_of, for_those_who_accept
from clans import lifecycle
from clans.models import Clan, Membership
from clans.pages.forms import ClanForm
from clans.pages.who import acting_in, clan_at, own_in
from clans.read import ClanSeen, clan_of, clan_seen, clans_asked, clans_inviting, clans_listed
from clans.rules import rules_of
from foundation.names import clean_name
from foundation.page_parts import ask_again, is_unchanged, nothing_new, show, version_of
from foundation.postgresql.transactions import from_one_snapshot
from foundation.refusals import RefusedError
from people.ties import friends_of
from ratings.models import Game, Player

__all__ = ["change_clan", "clan", "clan_of_player", "clans", "found_clan"]

_ON_A_PAGE = 30


@never_cache
@require_safe
@from_one_snapshot
def clans(request: HttpRequest) -> HttpResponse:
    """The clans of a game (`game`, else one that the visitor plays): the own one, invitations, and all there are."""
    games = list(Game.objects.in_use().order_by("name", "pk"))
    game = _chosen(request, games)
    if game is None:
        return render(request, "clans/clans.html", {"game": None})
    player = own_in(request.user, game)
    typed = request.GET.get("q", "").strip()[:40]
    text = clean_name(typed) if typed else ""  # as names and tags are kept
    given = request.GET.get("before", "")
    before = int(given) if given.isascii() and given.isdigit() and len(given) < 19 else None
    found, following = clans_listed(game.pk, text=text, before=before, most=_ON_A_PAGE)
    query, address = request.GET.copy(), reverse("clans")
    query["before"] = str(following or "")
    context = {
        "game": game,
        "player": player,
        "tabs": [
            (one.name, f"{address}?game={one.slug}", one == game) for one in games if len(games) > 1
        ],
        "rules": rules_of(game.pk),
        "own": clan_of(player.pk) if player else None,
        "invited": clans_inviting(player.pk) if player else [],
        "asked": clans_asked(player.pk) if player else [],
        "found": found,
        "text": text,
        "next": f"{address}?{query.urlencode()}" if following else "",
    }
    return render(request, "clans/clans.html", context)


@never_cache
@require_safe
@from_one_snapshot
def clan(request: HttpRequest, pk: int) -> HttpResponse:
    """One clan. Asked by htmx: its members alone, live for who is signed in."""
    found = clan_at(pk)
    player = own_in(request.user, found.game)
    seen = clan_seen(found, player)
    version = version_of(player.pk if player else 0, _shown(seen))
    if is_unchanged(request, version):
        return nothing_new()
    members = {one.player.pk for one in seen.members}
    friends = friends_of(player.pk) if player and seen.is_staff else []
    context = {
        "clan": found,
        "game": found.game,
        "seen": seen,
        "player": player,
        "other_clan": clan_of(player.pk) if player and seen.own is None else None,
        "friends": [
            one.other
            for one in friends
            if one.row.agreed_at is not None and one.other.pk not in members
        ],
        "again": ask_again(request, version),
    }
    return show(request, "clans/clan.html", context, part="clans/_clan.html")


@never_cache
@require_safe
def clan_of_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Lead to the clan that a player is in now. Http404 for whoever is in none."""
    return redirect("clan", get_object_or_404(Membership, player=pk).clan_id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_those_who_accept
def found_clan(request: HttpRequest, slug: str) -> HttpResponse:
    """The form with which a clan is founded."""
    game = get_object_or_404(Game.objects.in_use(), slug=slug)
    player = own_in(account_of(request), game)
    if player is None:
        raise Http404
    form = ClanForm(request.POST or None, clan=None, rules=rules_of(game.pk))
    if request.method == "POST" and form.is_valid():
        try:
            made = lifecycle.found(player=player, settings=form.cleaned_data)
        except RefusedError as refusal:
            _say(form, refusal)
        else:
            return redirect("clan", made.pk)
    return _form(request, form, {"game": game, "clan": None})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_those_who_accept
def change_clan(request: HttpRequest, pk: int) -> HttpResponse:
    """The form with which its leader changes a clan."""
    found, player = acting_in(request, pk)
    if found.leader_id != player.pk:
        raise Http404
    form = ClanForm(request.POST or None, clan=found, rules=rules_of(found.game_id))
    if request.method == "POST" and form.is_valid():
        try:
            lifecycle.change(clan_id=pk, by=player, settings=form.cleaned_data)
        except RefusedError as refusal:
            _say(form, refusal)
        else:
            return redirect("clan", pk)
    return _form(request, form, {"game": found.game, "clan": found})


def _chosen(request: HttpRequest, games: list[Game]) -> Game | None:
    """The game that is named; else the first that the visitor plays, or the first."""
    asked = request.GET.get("game", "")
    named = next((one for one in games if one.slug == asked), None)
    if named is not None or not isinstance(request.user, User):
        return named or next(iter(games), None)
    played = set(Player.objects.in_use().filter(user=request.user).values_list("game", flat=True))
    return min(games, key=lambda one: one.pk not in played, default=None)


def _say(form: ClanForm, refusal: RefusedError) -> None:
    """Let the field say what was refused, or the page."""
    field = {"wrong_clan_size": "most"}.get(refusal.code, refusal.extra.get("field"))
    form.add_error(field if isinstance(field, str) else None, str(refusal))


def _form(request: HttpRequest, form: ClanForm, context: dict[str, Any]) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "clans/form.html", {**context, "form": form}, status=status)


def _shown(seen: ClanSeen) -> tuple[object, ...]:
    """What the page shows: other values, another page."""
    found: Clan = seen.clan
    return (
        (found.name, found.tag, found.note, found.access, found.most, found.ended_at),
        [(one.player.pk, one.player.name, one.role) for one in seen.members],
        [one.player_id for one in seen.invited],
        [one.player_id for one in seen.applied],
        (seen.is_invited, seen.has_applied, seen.may_join, seen.may_apply),
    )
