"""Single events between ratings: pure functions, each one step, each with the floor at 0.

All but an event between two players break the zero sum, and so does the floor.
"""

from collections.abc import Sequence

from ratings.systems.frags.parameters import FragsParameters
from ratings.systems.logistic import logistic_one

__all__ = ["decay", "expect", "score_against_team", "score_event", "suicide", "team_kill"]


def expect(parameters: FragsParameters, own: float, other: float) -> float:
    """w = 1 / (1 + 10^((g_j - g_i) / scale)), 0..1."""
    return logistic_one((own - other) * (1 / parameters.scale))


def score_event(
    parameters: FragsParameters, own: float, opponent: float, *, weight: float = 1.0
) -> tuple[float, float]:
    """Both ratings after an event of weight x: max(0, g + x K (1 - w)), and its mirror image.

    A frag is x = 1: the duel of 1:0.
    """
    points = weight * parameters.k * (1.0 - expect(parameters, own, opponent))
    return max(0.0, own + points), max(0.0, opponent - points)


def score_against_team(
    parameters: FragsParameters, own: float, team: Sequence[float], *, weight: float = 1.0
) -> float:
    """The rating after an event without a clear opponent: the mean of the other team stands for one.

    Nobody of the other team changes. Raises ValueError when it has no members.
    """
    if not team:
        raise ValueError("team is empty: must hold the ratings of the other team")
    mean = sum(one / len(team) for one in team)
    return score_event(parameters, own, mean, weight=weight)[0]


def suicide(parameters: FragsParameters, own: float) -> float:
    """The rating after a suicide, a lost duel against an imaginary equal: max(0, g - K/2)."""
    return max(0.0, own - parameters.k / 2)


def team_kill(parameters: FragsParameters, killer: float, victim: float) -> float:
    """The killer's rating after killing a team mate: max(0, g - K w). The victim is not touched."""
    return max(0.0, killer - parameters.k * expect(parameters, killer, victim))


def decay(parameters: FragsParameters, own: float, periods: float = 1.0) -> float:
    """The rating after so many periods: never below 0, and untouched while there is no decay."""
    due = parameters.decay * periods
    return max(0.0, own - due) if due > 0 else own
