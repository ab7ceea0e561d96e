"""Players, parties and sweeps that do anything in any order, also at once or killed on the way: promises that hold.

`python -m tests.matchmaking.machine --runs 2000 --steps 50 --seed 1` does it for long, `--without NAME` without one of
the defences, where a promise must break.
"""
