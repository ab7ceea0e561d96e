"""What an account sees of itself: its standing on each ladder that it plays, and its matches."""

from leaderboards.own.matches import own_lines
from leaderboards.own.standings import OwnStanding, standings_of

__all__ = ["OwnStanding", "own_lines", "standings_of"]
