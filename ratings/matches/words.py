"""What players say of a match, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from ratings.models import MatchState

__all__ = ["Said", "Verdict", "voice_of"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said:
    """A player's team and word; `outcome` is empty for who has not spoken.

    `place`: in a match of more than two teams, which one the own team took; 1 is the best. Whoever shared it says that
    it was drawn. None for who has left.
    """

    team: int
    outcome: str = ""
    left_early: bool = False
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state of the match, with ranks by team when it is confirmed."""

    state: MatchState
    ranks: tuple[int, ...] = ()


def voice_of(words: Sequence[T], *, among: int) -> set[T]:
    """The word of more than half of `among` players; where there is none, every word that was said."""
    most = {word for word in words if 2 * words.count(word) > among}
    return most or set(words)
