"""What apps above offer the players of a match that is over."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from ratings.models import Match, Participant

__all__ = ["act_after_with", "acts_after"]

# Given a match, who took part, the ids of the reader's players, and the time: a template that shows what to do, or "".
Finder = Callable[[Match, Sequence[Participant], Collection[int], datetime], str]
_acts: list[Finder] = []


def act_after_with(finder: Finder) -> None:
    """Let an app above offer something to the players of a match. Called from an app's `ready()`; reads nothing."""
    _acts.append(finder)


def acts_after(
    match: Match, people: Sequence[Participant], player_ids: Collection[int], now: datetime
) -> list[str]:
    """Templates that show what these players may do after a match; `people` took part in it."""
    found = (finder(match, people, player_ids, now) for finder in _acts)
    return [template for template in found if template]
