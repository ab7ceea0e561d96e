"""The bar that every page has for who is signed in, and that asks for news of itself."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from foundation.page_parts import is_unchanged, nothing_new, wants_part
from matchmaking.pages.ongoing_place import Place, bar_of, ongoing_of

__all__ = ["ongoing"]


@never_cache
@require_safe
def ongoing(request: HttpRequest) -> HttpResponse:
    """What goes on for the visitor, as far as the page around the bar does not show it."""
    if not wants_part(request):
        return redirect("play")
    bar = bar_of(ongoing_of(request.user), Place.of_query(request.GET.dict()))
    if is_unchanged(request, str(bar["version"])):
        return nothing_new()
    return render(request, "ongoing/bar.html", {"bar": bar})
