"""Tickets with any conditions on each other, so that the steps of pairing can ask about them."""

from matchmaking.pairing.duels.candidate_graph import Crowd
from matchmaking.pairing.duels.graph_finding import match_crowd

__all__ = ["Crowd", "match_crowd"]
