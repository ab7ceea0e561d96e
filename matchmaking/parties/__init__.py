"""Parties, and block lists."""
