"""ZoneStats: shooters that people join and leave at any time, free for all or in teams."""

from ratings.systems.zonestats.parameters import ZoneStatsParameters
from ratings.systems.zonestats.system import ZoneStats

__all__ = ["ZoneStats", "ZoneStatsParameters"]
