"""Rooms, challenges, rounds, searches and conduct in one world: the same players do it all, at once or killed midway.

`python -m tests.together --histories 1000 --kills 500 --seed 1` does it for long, `--without NAME` without one of the
defences, where a promise must break.
"""
