"""Matches, from start to verdict."""
