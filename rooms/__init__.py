"""Rooms that players open, join and start."""
