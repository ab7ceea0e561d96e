"""What an account sees of itself: its standing on each ladder that it plays, its matches, and both at a glance."""

from leaderboards.own.matches import own_lines
from leaderboards.own.overview import OwnOverview, overview_of
from leaderboards.own.standings import OwnStanding, standings_of

__all__ = ["OwnOverview", "OwnStanding", "overview_of", "own_lines", "standings_of"]
