"""Setting up a game by hand-holding: one page of the admin, from the game's name to the first request of its server."""
