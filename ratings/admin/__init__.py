"""The operator's pages of ratings, one noun a file."""

from ratings.admin import (
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
