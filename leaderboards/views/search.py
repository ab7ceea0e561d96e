"""Finding players."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foundation.page_parts import show
from leaderboards.players.search import LONGEST, SearchCursor, find_players
from leaderboards.views.requests import cursor_of, link, refuses_bad_parameters


@require_safe
@refuses_bad_parameters
def search(request: HttpRequest) -> HttpResponse:
    """Players whose name begins with `q`, page by page."""
    query = request.GET.get("q", "").strip()[:LONGEST]
    after = cursor_of(
        request.GET.get("after", ""),
        SearchCursor.parse,
        _("“after” doesn't belong to this list. Start the search again."),
    )
    found = find_players(query, after=after)
    path = reverse("search")
    context = {
        "search_query": query,
        "players": found.players,
        "next": link(path, q=query, after=found.next) if found.next else None,
        "first": link(path, q=query) if request.GET.get("after") else None,
    }
    return show(request, "search/search.html", context, part="search/_results.html")
