"""How far a search reaches by now, in words that tell no rating: the same for all who have waited as long."""

from enum import StrEnum

from django.utils.translation import gettext as _

from matchmaking.models import Queue

__all__ = ["Reach", "reach_in_words", "reach_of"]

# A search reaches so many times as far as at first.
_LITTLE, _FURTHER, _FAR = 1.5, 3.0, 6.0
# A queue that begins with no gap at all is measured by what so many seconds add.
_SECONDS = 20.0


class Reach(StrEnum):
    """How far a search reaches, compared with its beginning."""

    NEAREST = "nearest"
    LITTLE_FURTHER = "little_further"
    FURTHER = "further"
    NEARLY_ALL = "nearly_all"


def reach_of(queue: Queue, waited: float) -> Reach:
    """By the queue's gap alone: what else a search asks for, and how strong anybody is, says nothing here."""
    gap = queue.gap_start + queue.gap_per_second * waited
    if queue.gap_cap is not None:
        gap = min(gap, queue.gap_cap)
    first = max(queue.gap_start, queue.gap_per_second * _SECONDS)
    if gap < first * _LITTLE:
        return Reach.NEAREST
    if gap < first * _FURTHER:
        return Reach.LITTLE_FURTHER
    return Reach.FURTHER if gap < first * _FAR else Reach.NEARLY_ALL


def reach_in_words(reach: Reach) -> str:
    """Whom it looks for by now, and what to expect of the match."""
    return {
        Reach.NEAREST: _("the players nearest to you: expect an even match"),
        Reach.LITTLE_FURTHER: _("now also players a little further off: still a fairly even match"),
        Reach.FURTHER: _("now also players further off: the match may be less even"),
        Reach.NEARLY_ALL: _("now nearly everybody: better a match than none"),
    }[reach]
