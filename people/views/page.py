"""The page of people: friends, requests, those one follows, avoids and blocks, and who may turn to one."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.page_actions import account_of
from foundation.page_parts import (
    ask_again,
    is_unchanged,
    nothing_new,
    show,
    version_of,
)
from foundation.postgresql.transactions import from_one_snapshot
from people.avoided import avoided_of
from people.blocks import blocked_by
from people.forms import ContactForm
from people.presence import doing_of
from people.ties import followed_by, friends_of
from people.wishes import wishes_of
from ratings.models import Player

__all__ = ["people"]


@login_required
@require_safe
@from_one_snapshot
def people(request: HttpRequest) -> HttpResponse:
    """Of the account's player in one game (`game`, default: the first). Asked by htmx: the lists alone."""
    players = list(
        Player.objects.in_use()
        .filter(user=account_of(request))
        .select_related("game")
        .order_by("game__name")
    )
    asked = request.GET.get("game", "")
    chosen = next(
        (one for one in players if one.game.slug == asked), players[0] if players else None
    )
    context: dict[str, Any] = {"player": chosen}
    if chosen is None:
        return show(request, "people/people.html", context, part="people/_lists.html")
    context |= _lists(chosen)
    version = version_of(chosen.pk, context["lists"])
    if is_unchanged(request, version):
        return nothing_new()
    address = reverse("people")
    context |= {
        "tabs": [
            (one.game.name, f"{address}?game={one.game.slug}", one is chosen)
            for one in players
            if len(players) > 1
        ],
        "form": ContactForm(instance=wishes_of(chosen.pk)),
        "again": ask_again(request, version),
        "back": f"{address}?game={chosen.game.slug}",
    }
    return show(request, "people/people.html", context, part="people/_lists.html")


def _lists(player: Player) -> dict[str, Any]:
    """All lists of a player; `lists` is what a version is made of."""
    ties, followed = friends_of(player.pk), list(followed_by(player.pk))
    friends = [one for one in ties if one.row.agreed_at is not None]
    doing = doing_of(
        player.pk, [*(one.other.pk for one in friends), *(row.followed_id for row in followed)]
    )
    found: dict[str, list[Any]] = {
        "friends": [(one.other, doing.get(one.other.pk)) for one in friends],
        "asks": [one for one in ties if one.row.agreed_at is None and not one.is_mine],
        "asked": [one for one in ties if one.row.agreed_at is None and one.is_mine],
        "followed": [(row.followed, doing.get(row.followed_id)) for row in followed],
        "avoided": avoided_of(player.pk),
        "blocked": list(blocked_by(player.pk)),
    }
    shown = [
        [one.other.pk for one in ties],
        [one.other.name for one in ties],
        [one.row.agreed_at for one in ties],
        [row.followed_id for row in followed],
        sorted((pk, [(it.at, it.where, it.id) for it in those]) for pk, those in doing.items()),
        [one.pk for one in found["avoided"]],
        [row.blocked_id for row in found["blocked"]],
    ]
    return {**found, "lists": shown}
