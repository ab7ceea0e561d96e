"""Pairs for matches of two: by rating alone, by all conditions, or the best that there are."""
