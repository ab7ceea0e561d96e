"""Friends, following, blocks, and who may turn to a player."""

from api.views.people import blocked, contact, following, friends, presence, profiles

__all__ = ["blocked", "contact", "following", "friends", "presence", "profiles"]
