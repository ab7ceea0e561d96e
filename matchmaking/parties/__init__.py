"""Parties, and whom a player avoids."""
