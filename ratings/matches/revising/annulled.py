"""What apps above make of matches that were annulled, by whom and in whatever way."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

__all__ = ["Annulled", "follow", "follow_with"]


@dataclass(frozen=True, slots=True)
class Annulled:
    """Matches that were annulled at once.

    matches  their ids; not those of an import that was taken back: nobody has played them here
    players  ids of all who took part
    of       the player whose matches were chosen; None: they were chosen by something else
    """

    matches: Sequence[int]
    players: Collection[int]
    of: int | None = None


# Called in the transaction that annuls; no match is among those of two calls, unless it counted again meanwhile.
_followers: list[Callable[[Annulled], object]] = []


def follow_with(follower: Callable[[Annulled], object]) -> None:
    """Let an app above do what belongs to it, such as telling who played."""
    _followers.append(follower)


def follow(annulled: Annulled) -> None:
    """Call those who follow. For whoever has just annulled, in its transaction."""
    for follower in _followers:
        follower(annulled)
