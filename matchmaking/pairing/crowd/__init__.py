"""Tickets with any conditions on each other, so that the steps of pairing can ask about them."""

from matchmaking.pairing.crowd.crowding import Crowd

__all__ = ["Crowd"]
