"""What an account has going on over all its games, for the bar on every page: searches, offers, matches, disputes."""

from matchmaking.pages.ongoing import Ongoing, OwnMatch, OwnPlayer, OwnSearch, ongoing_of
from matchmaking.pages.ongoing_bar import bar_of
from matchmaking.pages.place import Place

__all__ = ["Ongoing", "OwnMatch", "OwnPlayer", "OwnSearch", "Place", "bar_of", "ongoing_of"]
