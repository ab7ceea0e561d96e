"""The files at fixed addresses that nobody links to and many programs ask for."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.texts.current import site_texts
from leaderboards.robots.sitemaps import (
    index_of,
    pages_of_block,
    pages_of_site,
    player_blocks,
    urls_of,
)

__all__ = ["favicon", "manifest", "robots", "sitemap", "sitemap_of_players", "sitemap_of_site"]

HOUR = 3600
# Nothing for a search engine there: forms, pages of one's own, answers to questions, data for programs.
_CLOSED = (
    "/accounts/",
    "/admin/",
    "/api/",
    "/health/",
    "/i18n/",
    "/live/",
    "/metrics",
    "/overview/",
    "/rooms/",
    "/search/",
)
_ICONS = ((192, "icons/icon-192.png"), (512, "icons/icon-512.png"))

_for_an_hour = cache_control(public=True, max_age=HOUR)


@require_safe
@_for_an_hour
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read, and where the sitemap is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _CLOSED)]
    lines.append(f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@_for_an_hour
def sitemap(request: HttpRequest) -> HttpResponse:
    """The sitemaps there are."""
    paths = [reverse("sitemap-of-site")]
    paths += [reverse("sitemap-of-players", args=[number]) for number in player_blocks()]
    return _xml(index_of(map(request.build_absolute_uri, paths)))


@require_safe
@_for_an_hour
def sitemap_of_site(request: HttpRequest) -> HttpResponse:
    """Start page, games and ladders."""
    return _xml(urls_of(map(request.build_absolute_uri, pages_of_site())))


@require_safe
@_for_an_hour
def sitemap_of_players(request: HttpRequest, number: int) -> HttpResponse:
    """Players of one block of numbers."""
    if number not in player_blocks():
        raise Http404
    return _xml(urls_of(map(request.build_absolute_uri, pages_of_block(number))))


@require_safe
@_for_an_hour
def manifest(request: HttpRequest) -> HttpResponse:
    """How a device shows the site among its apps."""
    content: dict[str, Any] = {
        "name": site_texts().name(),
        "short_name": site_texts().name(),
        "description": _("Fair matches, honest ratings and leaderboards for online games."),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "minimal-ui",
        "background_color": "#fffefb",
        "theme_color": "#fffefb",
        "icons": [
            {"src": static("icons/favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
            *(
                {"src": static(path), "sizes": f"{size}x{size}", "type": "image/png"}
                for size, path in _ICONS
            ),
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
@_for_an_hour
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon, for programs that ask for it by its oldest address."""
    return HttpResponseRedirect(static("icons/favicon.ico"))


def _xml(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="application/xml; charset=utf-8")
