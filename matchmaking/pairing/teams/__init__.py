"""Matches of teams and free-for-all: who meets, and who plays with whom."""

from matchmaking.pairing.teams.all_splits import Splits, splits_of
from matchmaking.pairing.teams.arrange import arrange
from matchmaking.pairing.teams.finding import find_groups
from matchmaking.pairing.teams.packing import packs
from matchmaking.pairing.teams.strongest_first import split_by_rule
from matchmaking.pairing.teams.swapping import swap

__all__ = ["Splits", "arrange", "find_groups", "packs", "split_by_rule", "splits_of", "swap"]
