"""Players in the admin: their page, what operators do to them, and their sanctions."""

from ratings.admin.players import kept_suspensions, sanctions
from ratings.admin.players.players import (
    PlayerAdmin,
    PlayersRowsAdmin,
    Presence,
    find_players,
    show_presence_with,
)

__all__ = [
    "PlayerAdmin",
    "PlayersRowsAdmin",
    "Presence",
    "find_players",
    "kept_suspensions",
    "sanctions",
    "show_presence_with",
]
