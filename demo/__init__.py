"""A league of simulated players, to see everything alive before a game is connected."""
