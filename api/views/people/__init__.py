"""Friends, following, blocks, and who may turn to a player."""

from api.views.people import avoided, blocked, contact, following, friends, presence, profiles

__all__ = ["avoided", "blocked", "contact", "following", "friends", "presence", "profiles"]
