"""Matches: shown, created, reported, decided, and what players say of them."""
