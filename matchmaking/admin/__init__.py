"""The operator's pages of matchmaking, one noun a file."""

from matchmaking.admin import offers, players, queues, tickets

__all__ = ["offers", "players", "queues", "tickets"]
