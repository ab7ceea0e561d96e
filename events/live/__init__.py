"""Live: telling open pages that something has changed, so that they ask for it at once.

A message holds topics, a kind and ids, never what has changed: pages read that through their own addresses, with
their own rights. Messages may be lost (Valkey may be away); pages poll as well, only less often.

    tell([f"player:{player_id}"], "offer.made", offer=offer_id)     after commit, by whoever changed something
    stream(["site", "ladder:3"])                                     server-sent events, for a view

Topics are `player:<id>`, `ladder:<id>` and `site`; for servers of a game also `game:<id>` (what happens on all its
ladders, those that are added later too) and `searches:<id>` (the searches and parties of all its players).
"""

from events.live.guests import Guest, good_while
from events.live.hub import (
    StreamLimitError,
    TooManyStreamsError,
    end_streams,
    open_streams,
    stream,
)
from events.live.telling import tell, tell_ended

__all__ = [
    "Guest",
    "StreamLimitError",
    "TooManyStreamsError",
    "end_streams",
    "good_while",
    "open_streams",
    "stream",
    "tell",
    "tell_ended",
]
