"""Frag logs: what happened in games of a shooter, line by line."""

from ratings.fraglog.counting import Counts, count_frags, read_counts
from ratings.fraglog.lines import FragLogError, Line, read_log
from ratings.fraglog.playing import play_log

__all__ = [
    "Counts",
    "FragLogError",
    "Line",
    "count_frags",
    "play_log",
    "read_counts",
    "read_log",
]
