"""The lists of groups, one group, and the forms with which one is made and changed."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.page_actions import account_of, for_those_who_accept
from foundation.names import clean_name
from foundation.page_parts import ask_again, is_unchanged, nothing_new, show, version_of
from foundation.postgresql.transactions import from_one_snapshot
from foundation.refusals import RefusedError
from groups import lifecycle
from groups.draw import next_draw, wish_of
from groups.models import Group
from groups.models.rules import RANGES
from groups.pages.forms import DrawForm, GroupForm
from groups.pages.who import acting_in, players_of
from groups.read import GroupSeen, group_seen, groups_listed
from groups.rules import rules_of
from groups.suggest import suggestions_for, wants
from people.ties import friends_of
from ratings.models import Game, Player

__all__ = ["change_group", "group", "groups", "make_group"]

_ON_A_PAGE = 30


@never_cache
@login_required
@require_safe
@from_one_snapshot
def groups(request: HttpRequest) -> HttpResponse:
    """Own groups and invitations, open groups, what is suggested, and random groups; of one game (`game`)."""
    players = players_of(account_of(request))
    asked = request.GET.get("game", "")
    player = next(
        (one for one in players if one.game.slug == asked), players[0] if players else None
    )
    if player is None:
        return render(request, "groups/groups.html", {"player": None})
    typed = request.GET.get("q", "").strip()[:60]
    text = clean_name(typed) if typed else ""  # as names and notes are kept
    given = request.GET.get("before", "")
    before = int(given) if given.isascii() and given.isdigit() and len(given) < 19 else None
    found, following = groups_listed(player, "open", text=text, before=before, most=_ON_A_PAGE)
    rules, wish, address = rules_of(player.game_id), wish_of(player.pk), reverse("groups")
    has_suggestions = rules.suggests and wants(player.pk)
    query = request.GET.copy()
    query["before"] = str(following or "")
    context = {
        "player": player,
        "tabs": [
            (one.game.name, f"{address}?game={one.game.slug}", one is player)
            for one in players
            if len(players) > 1
        ],
        "rules": rules,
        "own": groups_listed(player, "own", most=RANGES["most_groups"][1])[0],
        "invited": groups_listed(player, "invited")[0],
        "found": found,
        "text": text,
        "next": f"{address}?{query.urlencode()}" if following else "",
        "has_suggestions": has_suggestions,
        "suggested": suggestions_for(player) if has_suggestions else None,
        "wish": wish,
        "draws_at": next_draw(rules),
        "form": DrawForm(game_id=player.game_id, wish=wish),
        "back": f"{address}?game={player.game.slug}",
    }
    return render(request, "groups/groups.html", context)


@never_cache
@login_required
@require_safe
@from_one_snapshot
def group(request: HttpRequest, pk: int) -> HttpResponse:
    """One group, live. Asked by htmx: its members alone."""
    found, player = acting_in(request, pk)
    seen = group_seen(found, player)
    version = version_of(player.pk, _shown(seen))
    if is_unchanged(request, version):
        return nothing_new()
    members = {one.player_id for one in seen.members}
    friends = friends_of(player.pk) if seen.may_invite else []
    context = {
        "group": found,
        "seen": seen,
        "player": player,
        "members": [(one, seen.doing.get(one.player_id)) for one in seen.members],
        "others": [
            one
            for one in players_of(account_of(request))
            if found.game_id is None and one.pk not in members
        ],
        "friends": [
            one.other
            for one in friends
            if one.row.agreed_at is not None and one.other.pk not in members
        ],
        "again": ask_again(request, version),
    }
    return show(request, "groups/group.html", context, part="groups/_group.html")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_those_who_accept
def make_group(request: HttpRequest, slug: str) -> HttpResponse:
    """The form with which a group is made."""
    game = get_object_or_404(Game.objects.in_use(), slug=slug)
    player = get_object_or_404(
        Player.objects.in_use().select_related("game"), game=game, user=account_of(request)
    )
    form = GroupForm(request.POST or None, group=None, rules=rules_of(game.pk))
    if request.method == "POST" and form.is_valid():
        settings = dict(form.cleaned_data)
        for_all = settings.pop("for_all_games")
        try:
            made = lifecycle.make(player=player, settings=settings, for_all_games=for_all)
        except RefusedError as refusal:
            _say(form, refusal)
        else:
            return redirect("group", made.pk)
    return _form(request, form, {"game": game, "group": None})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@for_those_who_accept
def change_group(request: HttpRequest, pk: int) -> HttpResponse:
    """The form with which its owner changes a group."""
    found, player = acting_in(request, pk)
    if found.owner_id != player.pk:
        raise Http404
    form = GroupForm(request.POST or None, group=found, rules=rules_of(player.game_id))
    if request.method == "POST" and form.is_valid():
        try:
            lifecycle.change(group_id=pk, by=player, settings=form.cleaned_data)
        except RefusedError as refusal:
            _say(form, refusal)
        else:
            return redirect("group", pk)
    return _form(request, form, {"game": player.game, "group": found})


def _say(form: GroupForm, refusal: RefusedError) -> None:
    """Let the field say what was refused, or the page."""
    field = {"wrong_group_size": "most"}.get(refusal.code, refusal.extra.get("field"))
    form.add_error(field if isinstance(field, str) else None, str(refusal))


def _form(request: HttpRequest, form: GroupForm, context: dict[str, Any]) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "groups/form.html", {**context, "form": form}, status=status)


def _shown(seen: GroupSeen) -> tuple[object, ...]:
    """What the page shows: other values, another page."""
    group: Group = seen.group
    return (
        (group.title, group.note, group.access, group.most, group.owner_id, group.ends_at),
        [(one.player_id, one.player.name, one.shows, one.keeps) for one in seen.members],
        sorted(
            (pk, [(it.at, it.where, it.id) for it in doing]) for pk, doing in seen.doing.items()
        ),
        [one.player_id for one in seen.invited],
        (seen.is_invited, seen.may_join),
    )
