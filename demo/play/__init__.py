"""Simulated players, alive: they search, accept, play and report through the REST API, as the players of a game do.

`truth` is pure. Nothing here imports the API's code: what a game's server cannot do, they cannot either.
"""
