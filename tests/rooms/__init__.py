"""Rooms: who comes in, how teams are made, and how the match begins."""
