"""The operator's pages of matchmaking, one noun a file."""

from matchmaking.admin import conduct, offers, parties, players, queues, tickets

__all__ = ["conduct", "offers", "parties", "players", "queues", "tickets"]
