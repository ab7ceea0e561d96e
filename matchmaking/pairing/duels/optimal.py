"""The best matching there is, for few tickets: as many as can be, the oldest first, at least cost."""

from matchmaking.pairing.duels.perfecting import match_exactly

__all__ = ["match_exactly"]
