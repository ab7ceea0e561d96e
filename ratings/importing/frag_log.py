"""Frag logs: what happened in games of a shooter, line by line."""

from ratings.importing.frag_log_counting import Counts, count_frags, read_counts
from ratings.importing.frag_log_lines import FragLogError, Line, read_log
from ratings.importing.frag_log_playing import play_log

__all__ = [
    "Counts",
    "FragLogError",
    "Line",
    "count_frags",
    "play_log",
    "read_counts",
    "read_log",
]
