"""The page of a game."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation import clock
from leaderboards.boards.overview import cards_of
from leaderboards.matches.lists import latest_lines
from leaderboards.visibility import public_ladders
from ratings.models import Game

LATEST = 12


@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """The public ladders of a game and its latest matches."""
    found = get_object_or_404(Game, slug=slug)
    ladders = list(public_ladders().filter(game=found))
    context = {
        "game": found,
        "cards": cards_of(ladders),
        "lines": latest_lines(ladders, LATEST),
        "crumbs": [(_("Games"), reverse("home"))],
        "now": clock.now(),
    }
    return render(request, "game/game.html", context)
