"""Matches of teams and free-for-all: who meets, and who plays with whom."""

from matchmaking.pairing.teams.all_splits import Splits, splits_of, swap
from matchmaking.pairing.teams.arrange import arrange
from matchmaking.pairing.teams.form import find_groups
from matchmaking.pairing.teams.packing import packs
from matchmaking.pairing.teams.strongest_first import split_by_rule

__all__ = ["Splits", "arrange", "find_groups", "packs", "split_by_rule", "splits_of", "swap"]
