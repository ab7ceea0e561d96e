"""Matches of teams and free-for-all: who meets, and who plays with whom."""

from matchmaking.pairing.groups.arranging import arrange
from matchmaking.pairing.groups.finding import find_groups
from matchmaking.pairing.groups.packing import packs
from matchmaking.pairing.groups.rule import split_by_rule
from matchmaking.pairing.groups.splits import Splits, splits_of
from matchmaking.pairing.groups.swapping import swap

__all__ = ["Splits", "arrange", "find_groups", "packs", "split_by_rule", "splits_of", "swap"]
