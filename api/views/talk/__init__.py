"""Talk: reading and writing lines, and muting players."""

from api.views.talk.lines import TalkView
from api.views.talk.muted import MutedPlayerView, MutedView

__all__ = ["MutedPlayerView", "MutedView", "TalkView"]
