"""Friends, following, blocks, and who may turn to a player."""

from api.views.people import blocked, contact, following, friends

__all__ = ["blocked", "contact", "following", "friends"]
