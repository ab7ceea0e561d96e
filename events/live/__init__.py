"""Live: telling open pages that something has changed, so that they ask for it at once.

A message holds topics, a kind and ids, never what has changed: pages read that through their own addresses, with
their own rights. Messages may be lost (Valkey may be away); pages poll as well, only less often. What was told is kept
for some days (`notices`): programs read it, and their numbered streams begin where they left off.

    broadcast([f"player:{player_id}"], "offer.made", offer=offer_id)     after commit, by whoever changed something
    stream(["site", "ladder:3"])                                     server-sent events, for a view

Topics are `player:<id>`, `ladder:<id>` and `site`; for servers of a game also `game:<id>` (what happens on all its
ladders, those that are added later too) and `searches:<id>` (the searches and parties of all its players).
"""

from events.live.broadcaster import (
    broadcast,
    broadcast_all,
    broadcast_ended,
    send_after_commit,
)
from events.live.hub import (
    StreamLimitError,
    TooManyStreamsError,
    end_streams,
    hears_of_ended,
    numbered_stream,
    open_streams,
    stream,
)
from events.live.messages import Message, Offset
from events.live.notices import GoneError, head, read
from events.live.readers import Reader, register_right, tell_of_ended

__all__ = [
    "GoneError",
    "Message",
    "Offset",
    "Reader",
    "StreamLimitError",
    "TooManyStreamsError",
    "broadcast",
    "broadcast_all",
    "broadcast_ended",
    "end_streams",
    "head",
    "hears_of_ended",
    "numbered_stream",
    "open_streams",
    "read",
    "register_right",
    "send_after_commit",
    "stream",
    "tell_of_ended",
]
