"""The public pages: one view, one template; with htmx the same view renders only the part that changes."""

from leaderboards.views.behaviour import behaviour
from leaderboards.views.board import leaderboard
from leaderboards.views.game import game
from leaderboards.views.home import home
from leaderboards.views.live import live
from leaderboards.views.match import match
from leaderboards.views.own import own_matches, own_overview
from leaderboards.views.player import player
from leaderboards.views.search import search
from leaderboards.views.server import server, servers
from leaderboards.views.statistics import static_ranking, statistics

__all__ = [
    "behaviour",
    "game",
    "home",
    "leaderboard",
    "live",
    "match",
    "own_matches",
    "own_overview",
    "player",
    "search",
    "server",
    "servers",
    "static_ranking",
    "statistics",
]
