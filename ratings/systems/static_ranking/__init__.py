"""One ranking of everybody from who fragged whom how often; no order of games, no time."""

from ratings.systems.static_ranking.core import thin_to_core
from ratings.systems.static_ranking.matrix import FragMatrix
from ratings.systems.static_ranking.ranking import SUICIDES, Ranking, rank

__all__ = ["SUICIDES", "FragMatrix", "Ranking", "rank", "thin_to_core"]
