"""Who meets whom, as pure functions."""
