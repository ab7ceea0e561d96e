"""Histories that operators change, by processes that may die: each becomes one that was so from the start, or stays.

`python -m tests.histories --histories 100 --kills 100 --seed 1` does it for long.
"""
