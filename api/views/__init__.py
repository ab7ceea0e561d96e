"""What answers at the addresses of the API. `base.ApiView` is what every endpoint is made of."""

from api.views.base import ApiView
from api.views.boards import BoardView
from api.views.docs import DocsView, SchemaView
from api.views.games import GamesView, LaddersView, LadderView
from api.views.index import IndexView
from api.views.matches import LadderMatchesView, MatchView
from api.views.players import HistoryView, PlayerMatchesView, PlayerView, RatingsView
from api.views.problems import problem, problems
from api.views.served import ServedPlayerView, ServedTokensView
from api.views.unknown import UnknownView

__all__ = [
    "ApiView",
    "BoardView",
    "DocsView",
    "GamesView",
    "HistoryView",
    "IndexView",
    "LadderMatchesView",
    "LadderView",
    "LaddersView",
    "MatchView",
    "PlayerMatchesView",
    "PlayerView",
    "RatingsView",
    "SchemaView",
    "ServedPlayerView",
    "ServedTokensView",
    "UnknownView",
    "problem",
    "problems",
]
