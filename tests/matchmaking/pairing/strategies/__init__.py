"""Strategies besides the default."""
