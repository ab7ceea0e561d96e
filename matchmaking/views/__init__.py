"""The pages for players. Reading is one view and one template; every action is a form that leads back to its page."""

from matchmaking.views.answers import accept, cancel, decline, search_match
from matchmaking.views.lobby import play
from matchmaking.views.matches import play_match, report
from matchmaking.views.names import name_player
from matchmaking.views.rooms import room

__all__ = [
    "accept",
    "cancel",
    "decline",
    "name_player",
    "play",
    "play_match",
    "report",
    "room",
    "search_match",
]
