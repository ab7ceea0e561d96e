"""Rooms in the administration."""

from rooms.admin import lobbies, rooms

__all__ = ["lobbies", "rooms"]
