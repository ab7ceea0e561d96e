"""Tickets with any conditions on each other, so that the steps of pairing can ask about them."""

from matchmaking.pairing.crowd.crowding import Crowd
from matchmaking.pairing.crowd.finding import match_crowd

__all__ = ["Crowd", "match_crowd"]
