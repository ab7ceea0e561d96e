"""Results of matches: how the teams placed, what fits a match, and whether two results place the teams alike."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

from ratings.matches.refusals import WrongResultError
from ratings.models import Outcome

__all__ = [
    "TEAM_SCORES",
    "Figures",
    "Result",
    "check_ranks",
    "check_scores",
    "check_times",
    "is_finite",
    "outcome_of",
    "place_of",
    "same_order",
]

Id = TypeVar("Id", int, str)
# By so much the clock of a game may be ahead of ours.
_CLOCKS_DIFFER = timedelta(minutes=5)
_OLDEST_YEAR = 1970
# In `Match.extra`: the scores of teams by number, where those of their members are their own.
TEAM_SCORES = "team_scores"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures(Generic[Id]):
    """What is told of a match of t teams beside its ranks; players go by their ids, here or in the game.

    scores    t points by team as the game counts them, or None
    player_scores, minutes
              what single players counted, and how long they took part
    characters  with whom single players played
    left      the players who left before the end
    map       where it was played
    ended_at  when it ended
    """

    scores: Sequence[float] | None = None
    player_scores: Mapping[Id, float] = field(default_factory=dict)
    minutes: Mapping[Id, float] = field(default_factory=dict)
    characters: Mapping[Id, str] = field(default_factory=dict)
    left: frozenset[Id] = frozenset()
    map: str = ""
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Figures[int]):
    """How a match ended. What is left out is as the match says already; its end, if it says none, is now.

    ranks    t numbers by team, 0 is best; equal ranks are a draw
    neutral  whether nobody played the better side; None: as the match says already
    """

    ranks: tuple[int, ...]
    neutral: bool | None = None


def check_ranks(ranks: Sequence[int], teams: int) -> None:
    """Raise WrongResultError unless there is one rank a team, and the best of them is 0."""
    if len(ranks) != teams:
        detail = _("The result has %(given)d ranks; the match has %(teams)d teams.")
        raise WrongResultError(detail % {"given": len(ranks), "teams": teams})
    if min(ranks) != 0 or max(ranks) >= teams:
        detail = _("Ranks run from 0, the best, to %(last)d at most. Equal ranks are a draw.")
        raise WrongResultError(detail % {"last": teams - 1})


def check_scores(scores: Sequence[float] | None, teams: int) -> None:
    """Raise WrongResultError unless there is one finite score a team, or none at all."""
    if scores is not None and not (len(scores) == teams and all(map(is_finite, scores))):
        detail = _(
            "Give one score per team, each a number, or none at all. The match has %d teams."
        )
        raise WrongResultError(detail % teams)


def check_times(played_at: datetime, ended_at: datetime | None, now: datetime) -> None:
    """Raise WrongResultError unless the match ends after it began, and neither is to come yet."""
    last = ended_at or played_at
    if played_at.tzinfo is None or last.tzinfo is None:
        raise WrongResultError(_("Give times with a time zone, such as 2026-05-01T18:20:00Z."))
    if played_at.year < _OLDEST_YEAR:
        raise WrongResultError(_("The date of the match is too far in the past."))
    if last < played_at:
        raise WrongResultError(_("The match ends before it began."))
    if last > now + _CLOCKS_DIFFER:
        raise WrongResultError(_("The date of the match is in the future."))


def outcome_of(ranks: Sequence[int], team: int) -> Outcome:
    """How the match ended for a team: won for the only best, drawn for those who share the best rank, else lost."""
    if ranks[team] > min(ranks):
        return Outcome.LOST
    return Outcome.WON if ranks.count(ranks[team]) == 1 else Outcome.DRAWN


def place_of(ranks: Sequence[int], team: int) -> int:
    """The place that a team took, from 1; teams of equal rank share it."""
    return 1 + sum(rank < ranks[team] for rank in ranks)


def same_order(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two results place the teams alike: (0, 1) and (0, 2) do."""
    return _dense(first) == _dense(second)


def is_finite(score: float) -> bool:
    """Whether a number is finite as a float."""
    try:
        return math.isfinite(score)
    except OverflowError:  # an int beyond every float
        return False


def _dense(ranks: Sequence[int]) -> list[int]:
    distinct = sorted(set(ranks))
    return [distinct.index(rank) for rank in ranks]
