"""The nouns of leaderboards, one a file."""

from leaderboards.models.boards import Board, RankBucket
from leaderboards.models.standings import Standing

__all__ = ["Board", "RankBucket", "Standing"]
