"""The nouns of leaderboards, one a file."""

from leaderboards.models.boards import Board, RankBucket
from leaderboards.models.standings import HiddenAs, Standing

__all__ = ["Board", "HiddenAs", "RankBucket", "Standing"]
