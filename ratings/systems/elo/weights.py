"""How many points a game is worth: Elo's K by status and by rating.

Written twice, for arrays and for one number, from operations that give the same bits.
"""

import numpy as np

from ratings.systems.arrays import Floats, Statuses
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.state import Status
from ratings.systems.team_pairs import ContestTeams

__all__ = ["contest_weights", "k_of_statuses", "rating_share", "rating_share_one", "weights"]

_KINDS = len(Status)


def k_of_statuses(parameters: EloParameters) -> list[float]:
    """K at position 3 · own status + opponent's status."""
    own = (parameters.k_new, parameters.k_provisional, parameters.k_established)
    table = [k for k in own for _ in Status]
    if parameters.halve_against_provisional:
        for opponent in (Status.NEW, Status.PROVISIONAL):
            table[_KINDS * Status.ESTABLISHED + opponent] /= 2
    return table


def weights(parameters: EloParameters, value: Floats, own: Statuses, other: Statuses) -> Floats:
    """K for players of these ratings and statuses: arrays of one length."""
    k: Floats = np.array(k_of_statuses(parameters)).take(own * np.int8(_KINDS) + other)
    return k if parameters.k_by_rating == "none" else k * rating_share(parameters, value)


def contest_weights(
    parameters: EloParameters, teams: ContestTeams, value: Floats, status: Statuses
) -> Floats:
    """K for each row of contests, whose ratings and statuses are given.

    Where K is halved against who is not established, it is halved to the share of such players: the mean over the
    other teams of their share of its members.
    """
    k: Floats = np.array(k_of_statuses(parameters))[Status.ESTABLISHED :: _KINDS].take(status)
    is_settled = status == Status.ESTABLISHED
    if parameters.halve_against_provisional and is_settled.any() and not is_settled.all():
        unsettled = teams.mean((~is_settled).astype(np.float64))
        met = teams.spread(teams.opposing(unsettled) / teams.others)
        k *= np.where(is_settled, 1.0 - met / 2, 1.0)
    return k if parameters.k_by_rating == "none" else k * rating_share(parameters, value)


def rating_share(parameters: EloParameters, value: Floats) -> Floats:
    """The share of K that a rating leaves, 0..1."""
    if parameters.k_by_rating == "step":
        shares = np.array([1.0, parameters.step_middle_share, parameters.step_high_share])
        steps = [parameters.step_lower, parameters.step_upper]
        stepped: Floats = shares[np.searchsorted(steps, value, side="right")]
        return stepped
    low, high = parameters.edge_lower, parameters.edge_upper
    inside = np.clip(value, low, high)
    # A parabola: 1 in the middle of the scale, 0 at both edges.
    height = 4 * (inside - low) * (high - inside) * (1 / (high - low)) * (1 / (high - low))
    return parameters.edge_share + (1 - parameters.edge_share) * height


def rating_share_one(parameters: EloParameters, value: float) -> float:
    """`rating_share` of one rating, equal to the bit."""
    if parameters.k_by_rating == "none":
        return 1.0
    if parameters.k_by_rating == "step":
        if value < parameters.step_lower:
            return 1.0
        is_middle = value < parameters.step_upper
        return parameters.step_middle_share if is_middle else parameters.step_high_share
    low, high = parameters.edge_lower, parameters.edge_upper
    inside = min(max(value, low), high)
    height = 4 * (inside - low) * (high - inside) * (1 / (high - low)) * (1 / (high - low))
    return parameters.edge_share + (1 - parameters.edge_share) * height
