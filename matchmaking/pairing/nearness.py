"""How near two strengths are, in words: what somebody who has waited for so long would accept."""

from enum import StrEnum
from math import inf

import numpy as np

from matchmaking.pairing.plan import Rules

__all__ = ["Nearness", "widths"]


class Nearness(StrEnum):
    """How near somebody is to be, the nearest first."""

    CLOSE = "close"
    RATHER_CLOSE = "rather_close"
    ANYBODY = "anybody"


# Seconds of waiting after which that much is accepted.
_SECONDS = {Nearness.CLOSE: 20.0, Nearness.RATHER_CLOSE: 60.0}


def widths(rules: Rules) -> dict[Nearness, float]:
    """Rating points that lie between two at most; inf: whatever lies between them."""
    waited = np.array(list(_SECONDS.values()))
    points = dict(zip(_SECONDS, rules.tolerances(waited).tolist(), strict=True))
    return {**points, Nearness.ANYBODY: inf}
