"""The operator's pages of ratings, one noun a file."""

from ratings.admin import (
    games,
    ladders,
    ledger,
    matches,
    periods,
    players,
    ratings,
    sanctions,
    tracks,
)

__all__ = [
    "games",
    "ladders",
    "ledger",
    "matches",
    "periods",
    "players",
    "ratings",
    "sanctions",
    "tracks",
]
