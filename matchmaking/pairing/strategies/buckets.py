"""Buckets: few, nominal criteria in levels; whoever shares a bucket meets."""

from matchmaking.pairing.strategies.bucket_pairs import find_in_buckets
from matchmaking.pairing.strategies.levels import Entered, enter_levels
from matchmaking.pairing.strategies.sharing import shared_levels

__all__ = ["Entered", "enter_levels", "find_in_buckets", "shared_levels"]
