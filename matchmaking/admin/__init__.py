"""The operator's pages of matchmaking, one noun a file."""

from matchmaking.admin import (
    alerts,
    conduct,
    conduct_rules,
    offences,
    offers,
    parties,
    players,
    queues,
    rounds,
    tickets,
)

__all__ = [
    "alerts",
    "conduct",
    "conduct_rules",
    "offences",
    "offers",
    "parties",
    "players",
    "queues",
    "rounds",
    "tickets",
]
