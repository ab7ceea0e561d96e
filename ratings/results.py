"""Results of matches: how the teams placed, who left, and whether two of them say the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from ratings.models import Outcome
from ratings.play_refusals import WrongResultError

__all__ = ["Result", "check_ranks", "ranks_claimed", "same_order"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a match of t teams ended.

    ranks     t numbers by team, 0 is best; equal ranks are a draw
    scores    t points by team as the game counts them, or None
    left      ids of the players who left before the end
    map       where it was played; empty: as the match says already
    ended_at  when it ended; None: now
    """

    ranks: tuple[int, ...]
    scores: tuple[float, ...] | None = None
    left: frozenset[int] = frozenset()
    map: str = ""
    ended_at: datetime | None = None


def check_ranks(ranks: Sequence[int], teams: int) -> None:
    """Raise WrongResultError unless there is one rank a team, and the best of them is 0."""
    if len(ranks) != teams:
        detail = _("The result has %(given)d ranks; the match has %(teams)d teams.")
        raise WrongResultError(detail % {"given": len(ranks), "teams": teams})
    if min(ranks) != 0 or max(ranks) >= teams:
        detail = _("Ranks run from 0, the best, to %(last)d at most. Equal ranks are a draw.")
        raise WrongResultError(detail % {"last": teams - 1})


def same_order(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two results place the teams alike: (0, 1) and (0, 2) do."""
    return _dense(first) == _dense(second)


def ranks_claimed(outcome: str, team: int) -> tuple[int, ...] | None:
    """The ranks of two teams that the outcome of one of them claims; None: it was not played."""
    if outcome == Outcome.NOT_PLAYED:
        return None
    if outcome == Outcome.DRAWN:
        return (0, 0)
    winner = team if outcome == Outcome.WON else 1 - team
    return (winner, 1 - winner)


def _dense(ranks: Sequence[int]) -> list[int]:
    places = sorted(set(ranks))
    return [places.index(rank) for rank in ranks]
