"""Rounds at set times."""
