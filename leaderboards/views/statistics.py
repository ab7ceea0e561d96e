"""What was played on the servers of a game, in figures; and a ranking of its players by their frags of each other."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from foundation import clock
from foundation.kept_pages import kept_page, show_kept, takes_parameters
from foundation.page_parts import is_attended, is_unchanged, nothing_new
from leaderboards.logs.frag_ranking import CORES, rank_frags
from leaderboards.logs.selection import SPANS, Selection, newest_counted, select_matches
from leaderboards.logs.statistics import ENOUGH_FRAGS, ENOUGH_MINUTES, ORDERS, statistics_of
from leaderboards.views.requests import BadParameterError, link, refuses_bad_parameters
from matchmaking.pages.ongoing import ongoing_of
from ratings.models import Game

PLAYERS = 50
RANKED = 200
_ORDERS = {
    "frags": gettext_lazy("Frags"),
    "ratio": gettext_lazy("Ratio"),
    "per_hour": gettext_lazy("Frags per hour"),
    "minutes": gettext_lazy("Minutes"),
}
# How pairs count in the ranking: the first is usual.
_PAIRS = ("frags", "alike")


class _Seen(NamedTuple):
    selection: Selection
    newest: int | None


@require_safe
@takes_parameters("server", "days", "order")
@refuses_bad_parameters
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Who fragged most on the servers of a game, on one of them or all, with what, and where."""
    order = _chosen(request, "order", tuple(ORDERS))
    return _show(request, slug, "statistics", partial(_statistics, request, order))


@require_safe
@takes_parameters("server", "days", "core", "pairs")
@refuses_bad_parameters
def static_ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody's place by nothing but who fragged whom how often."""
    core = _whole(request, "core", CORES)
    pairs = _chosen(request, "pairs", _PAIRS)
    return _show(request, slug, "static_ranking", partial(_ranking, core, pairs))


def _show(
    request: HttpRequest, slug: str, name: str, figures: Callable[[Selection], dict[str, Any]]
) -> HttpResponse:
    page = kept_page(
        request,
        f"server/_{name}.html",
        look=partial(_look, slug, request.GET.get("server", ""), _whole(request, "days", SPANS)),
        name=lambda seen: (seen.newest, [one.name for one in seen.selection.servers]),
        context=lambda seen, _version: _frame(seen.selection) | figures(seen.selection),
    )
    if is_unchanged(request, page.version):
        return nothing_new()
    ongoing = ongoing_of(request.user, is_there=is_attended(request))
    frame = {"game": page.seen.selection.game, "ongoing": ongoing}
    return show_kept(request, f"server/{name}.html", frame, page, ongoing.player_ids)


def _look(slug: str, server: str, days: int | None) -> _Seen:
    game = Game.objects.in_use().filter(slug=slug).first()
    if game is None:
        raise Http404
    selection = select_matches(game, server=server, days=days)
    if selection is None:
        words = _("This game has no server “%(server)s” that everybody may see.")
        raise BadParameterError(words % {"server": server[:40]})
    return _Seen(selection, newest_counted(selection))


def _frame(selection: Selection) -> dict[str, Any]:
    """What both pages have: which servers and days can be chosen, and which are."""
    game = selection.game
    return {
        "game": game,
        "selection": selection,
        "spans": [(days or "", _say_span(days), days == selection.days) for days in SPANS],
        "crumbs": [
            (_("Games"), reverse("home")),
            (game.name, game.get_absolute_url()),
            (_("Servers"), reverse("servers", args=[game.slug])),
        ],
        "now": clock.now(),
    }


def _statistics(request: HttpRequest, order: str, selection: Selection) -> dict[str, Any]:
    chosen = {"server": selection.server and selection.server.slug, "days": selection.days}
    return {
        "statistics": statistics_of(selection, now=clock.now(), order=order, most=PLAYERS),
        "order": order,
        "orders": [
            (label, link(request.path, **chosen, order=name if name != "frags" else None), name)
            for name, label in _ORDERS.items()
        ],
        "enough_frags": ENOUGH_FRAGS,
        "enough_minutes": ENOUGH_MINUTES,
    }


def _ranking(core: int | None, pairs: str, selection: Selection) -> dict[str, Any]:
    ranking = rank_frags(
        selection, now=clock.now(), core=core, by_frags=pairs == _PAIRS[0], most=RANKED
    )
    return {
        "ranking": ranking,
        "core": core,
        "pairs": pairs,
        "cores": [(frags or "", _say_core(frags), frags == core) for frags in CORES],
    }


def _say_span(days: int | None) -> str:
    if days is None:
        return _("All the time")
    return ngettext("The last %(days)d day", "The last %(days)d days", days) % {"days": days}


def _say_core(frags: int | None) -> str:
    if frags is None:
        return _("Everybody")
    words = ngettext(
        "Whoever has %(frags)d frag with each of the others",
        "Whoever has %(frags)d frags with each of the others",
        frags,
    )
    return words % {"frags": frags}


def _chosen(request: HttpRequest, name: str, known: tuple[str, ...]) -> str:
    """A parameter that is one of a few words, the first of them without it."""
    given = request.GET.get(name, "") or known[0]
    if given not in known:
        words = _("“%(name)s” is %(value)s: it must be one of %(known)s.")
        said = {"name": name, "value": given[:40], "known": ", ".join(known)}
        raise BadParameterError(words % said)
    return given


def _whole(request: HttpRequest, name: str, known: tuple[int | None, ...]) -> int | None:
    """A parameter that is one of a few numbers, or left out."""
    numbers = {str(one): one for one in known if one is not None}
    given = request.GET.get(name, "")
    if given and given not in numbers:
        words = _("“%(name)s” is %(value)s: it must be one of %(known)s.")
        said = {"name": name, "value": given[:40], "known": ", ".join(numbers)}
        raise BadParameterError(words % said)
    return numbers.get(given)
