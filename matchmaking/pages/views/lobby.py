"""The page of all queues."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from foundation.page_parts import ask_again, is_unchanged, nothing_new, show, version_of
from matchmaking.pages.lobby import cards_of_queues, my_players, open_queues, queues_by_game

__all__ = ["play"]


@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """Open queues by game with their figures, and the visitor's players."""
    cards = cards_of_queues(open_queues())
    players = my_players(request.user) if request.user.is_authenticated else []
    version = version_of(
        [(card.queue.pk, card.waiting, card.playing, card.estimate) for card in cards],
        [(mine.player.pk, mine.queue, mine.match_id) for mine in players],
    )
    if is_unchanged(request, version):
        return nothing_new()
    context = {
        "games": queues_by_game(cards, players),
        "players": players,
        "again": ask_again(request, version),
    }
    return show(request, "play/play.html", context, part="play/queues/_queues.html")
