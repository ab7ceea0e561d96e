"""What an account sees of itself: its standing on each ladder that it plays."""

from leaderboards.own.standings import OwnStanding, standings_of

__all__ = ["OwnStanding", "standings_of"]
