"""The nouns of people, one a file."""

from people.models.profiles import AgeGroup, PlaysFor, Profile, ProfileTag, Tag, Told
from people.models.ties import Block, Follow, Friendship
from people.models.wishes import Asking, ContactWishes, Whom

__all__ = [
    "AgeGroup",
    "Asking",
    "Block",
    "ContactWishes",
    "Follow",
    "Friendship",
    "PlaysFor",
    "Profile",
    "ProfileTag",
    "Tag",
    "Told",
    "Whom",
]
