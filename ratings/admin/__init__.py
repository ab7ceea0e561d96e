"""The operator's pages of ratings, one noun a file."""

from ratings.admin import (
    behaviour,
    games,
    imports,
    ladders,
    ledger,
    periods,
    players,
    ratings,
    servers,
    tracks,
)
from ratings.admin.of_matches import matches

__all__ = [
    "behaviour",
    "games",
    "imports",
    "ladders",
    "ledger",
    "matches",
    "periods",
    "players",
    "ratings",
    "servers",
    "tracks",
]
