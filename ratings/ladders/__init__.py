"""Games and ladders: made, and changed in what may be changed, by commands, the API and whoever sets up a game."""
