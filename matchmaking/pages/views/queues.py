"""The page of all queues; of one: search, offer, match and result, in turn; and the bar that every page has."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.page_actions import account_of
from foundation import clock
from foundation.kept_pages import kept_page, show_kept, takes_parameters
from foundation.page_parts import (
    ask_again,
    asks_again,
    is_attended,
    is_unchanged,
    nothing_new,
    show,
    version_of,
    wants_part,
)
from matchmaking.conduct.standing import latest_cooling
from matchmaking.models import Queue
from matchmaking.pages.forms import NameForm
from matchmaking.pages.ongoing import Ongoing, changes_of, ongoing_of
from matchmaking.pages.ongoing_bar import Page, bar_of
from matchmaking.pages.preference_form import SearchForm, asks_for
from matchmaking.pages.queue_cards import (
    QueueCard,
    cards_of_queues,
    my_players,
    open_queues,
    queues_by_game,
)
from matchmaking.pages.queue_page import MatchPage, QueuePage, read_page
from matchmaking.tickets.saved_preferences import wanted_by
from ratings.merging.meant import lent_games
from ratings.models import OPEN

__all__ = ["ongoing", "own_matters", "play", "queue_page", "show_page"]


@require_safe
@takes_parameters()
def play(request: HttpRequest) -> HttpResponse:
    """Open queues by game with their figures, and the visitor's players."""
    if not request.user.is_authenticated:
        return _play_signed_out(request)
    cards = cards_of_queues(open_queues())
    players = my_players(request.user)
    found = ongoing_of(request.user, is_there=is_attended(request))
    changes = changes_of(found)
    lent = lent_games(request.user)
    cooling = latest_cooling([mine.player.pk for mine in players], clock.now())
    version = version_of(
        _figures(cards),
        [
            (mine.player.pk, mine.queue, mine.match_id, [one.pk for one in mine.sanctions])
            for mine in players
        ],
        [(one.what, one.at) for one in changes],
        sorted(lent),
        str(cooling),
    )
    if is_unchanged(request, version):
        return nothing_new()
    context = {
        "games": queues_by_game(cards, players, lent),
        "players": players,
        "changes": changes,
        "cooling_until": cooling,
        "again": ask_again(request, version),
        "ongoing": found,
        "matters_again": _matters_again(found),
    }
    return show(request, "play/play.html", context, part="play/queues/_queues.html")


def _play_signed_out(request: HttpRequest) -> HttpResponse:
    """The same for everybody who is: rendered once for them all while the figures are the same."""
    page = kept_page(
        request,
        "play/queues/_queues.html",
        look=lambda: cards_of_queues(open_queues()),
        name=_figures,
        context=lambda cards, version: {
            "games": queues_by_game(cards, []),
            "again": ask_again(request, version),
            "ongoing": Ongoing(),
        },
    )
    if is_unchanged(request, page.version):
        return nothing_new()
    return show_kept(request, "play/play.html", {"ongoing": Ongoing()}, page, ())


def _figures(cards: Sequence[QueueCard]) -> object:
    return [(card.queue.pk, card.waiting, card.playing, card.estimate) for card in cards]


@never_cache
@require_safe
def own_matters(request: HttpRequest) -> HttpResponse:
    """The part of that page that shows what is under way for the visitor, and their players."""
    if not wants_part(request):
        return redirect("play")
    found = ongoing_of(request.user, is_there=is_attended(request))
    if not found.players:
        return HttpResponseClientRefresh()  # signed out since
    if is_unchanged(request, found.version):
        return nothing_new()
    players = my_players(account_of(request))
    context = {"ongoing": found, "players": players, "matters_again": _matters_again(found)}
    return render(request, "play/_own_matters.html", context)


def _matters_again(found: Ongoing) -> str:
    return f"{reverse('own-matters')}?{urlencode({'seen': found.version})}"


@require_safe
def queue_page(request: HttpRequest, slug: str) -> HttpResponse:
    """What the visitor sees in a queue now. htmx asks again and again for the part that changes."""
    queue = get_object_or_404(Queue.objects.select_related("ladder__game"), slug=slug)
    if queue.is_archived:
        if wants_part(request):
            return HttpResponseClientRefresh()  # what is open has to say so
        raise Http404
    found = read_page(queue, request.user, clock.now(), is_there=is_attended(request))
    if is_unchanged(request, found.version):
        return nothing_new()
    form = None
    if found.stage == "newcomer":
        form = NameForm.suggesting(queue.ladder.game, account_of(request))
    options = options_of(found)
    return show_page(request, found, "play/queue.html", queue=queue, form=form, options=options)


def options_of(found: QueuePage) -> SearchForm | None:
    """The search options, where a search can begin and the queue looks at more than ratings."""
    player, own_match = found.player, found.own_match
    is_over = own_match is not None and own_match.match.state not in OPEN
    if player is None or not (found.stage == "idle" or is_over) or not found.may_search:
        return None
    asked = asks_for(found.queue, leads=found.leads)
    if not asked:
        return None
    before = wanted_by(player.pk, found.queue)
    return SearchForm(None, queue=found.queue, asked=asked, before=before)


def show_page(
    request: HttpRequest, found: MatchPage, template: str, **context: object
) -> HttpResponse:
    """Render the page of a queue or an own match, or the part of it that changes."""
    before = request.GET.get("seen", "").partition("-")[0]
    is_known = asks_again(request) and before == found.whole_stage
    link = ""  # to the visitor's party, to be shared; empty where there is none
    if isinstance(found, QueuePage) and found.party is not None:
        link = request.build_absolute_uri(reverse("invitation", args=[found.party.code]))
    context |= {
        "page": found,
        "again": context.get("again") or ask_again(request, found.version),
        "is_news": not is_known,
        "now": found.now,
        "invitation": link,
    }
    return show(request, template, context, part="play/_stage.html")


@never_cache
@require_safe
def ongoing(request: HttpRequest) -> HttpResponse:
    """What goes on for the visitor, as far as the page around the bar does not show it."""
    if not wants_part(request):
        return redirect("play")
    bar = bar_of(
        ongoing_of(request.user, is_there=is_attended(request)), Page.of_query(request.GET.dict())
    )
    if is_unchanged(request, str(bar["version"])):
        return nothing_new()
    return render(request, "ongoing/bar.html", {"bar": bar, "is_news": True})
