"""Matches that are reported and decided."""
