"""What an account has going on over all its games, for the bar on every page: searches, offers, matches, disputes."""

from matchmaking.ongoing.bar import bar_of
from matchmaking.ongoing.place import Place
from matchmaking.ongoing.reading import Ongoing, OwnMatch, OwnPlayer, OwnSearch, ongoing_of

__all__ = ["Ongoing", "OwnMatch", "OwnPlayer", "OwnSearch", "Place", "bar_of", "ongoing_of"]
