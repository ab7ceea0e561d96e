"""The nouns of people, one a file."""

from people.models.ties import Block, Follow, Friendship
from people.models.wishes import Asking, ContactWishes, Whom

__all__ = ["Asking", "Block", "ContactWishes", "Follow", "Friendship", "Whom"]
