"""Tracks: a ladder's ratings by one system, with its parameters."""
