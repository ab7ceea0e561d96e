"""Buckets: few, nominal criteria in levels; whoever shares a bucket meets."""

from matchmaking.pairing.buckets.finding import find_in_buckets
from matchmaking.pairing.buckets.levels import Entered, enter_levels
from matchmaking.pairing.buckets.sharing import shared_levels

__all__ = ["Entered", "enter_levels", "find_in_buckets", "shared_levels"]
