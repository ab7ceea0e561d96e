"""The start page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from foundation import clock
from leaderboards.lines import latest_lines
from leaderboards.overview import cards_of, games_of
from leaderboards.shown import public_ladders

LATEST = 8


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Games with their ladders, and the latest matches; the first steps while there are none."""
    ladders = list(public_ladders())
    context = {
        "games": games_of(cards_of(ladders)),
        "lines": latest_lines(ladders, LATEST),
        "now": clock.now(),
    }
    return render(request, "home/home.html", context)
