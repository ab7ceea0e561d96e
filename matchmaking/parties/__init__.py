"""Parties: players who search together."""
