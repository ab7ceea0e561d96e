"""A league of simulated players, to see everything alive before a game is connected.

season/  what happened so far: a pure simulation, and writing it down at once
play/    what happens now: simulated players who use the REST API as a game does
"""
