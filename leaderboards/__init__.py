"""Leaderboards: standings and the public pages."""
