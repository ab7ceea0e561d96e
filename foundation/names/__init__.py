"""Names of people and players: made showable, compared as eyes compare them, and cut into words for search."""

from foundation.names.clean import clean_name, isolate
from foundation.names.scripts import mixed_word
from foundation.names.skeletons import skeleton_of
from foundation.names.words import LONGEST_QUERY, search_keys, search_words

__all__ = [
    "DELETED_PLAYER",
    "LONGEST_QUERY",
    "clean_name",
    "isolate",
    "mixed_word",
    "search_keys",
    "search_words",
    "skeleton_of",
]

# What stands before the number of a player who was deleted, in place of a name.
DELETED_PLAYER = "Deleted player "
