"""Behaviour in matches: given by games, learned from, and read as estimates. No rating takes any of it in."""
