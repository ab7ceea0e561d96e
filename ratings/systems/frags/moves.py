"""Why a rating of a stream moved."""

from dataclasses import dataclass

from ratings.systems.frags.competitors import Competitor

__all__ = ["Move"]


@dataclass(frozen=True, slots=True)
class Move:
    """One rating moved by one event.

    event     the event's name, or "suicide" or "team kill"
    expected  0..1, the share expected against the opponent
    actual    0..1, the share reached
    weight    rating points a full surprise is worth: K times the weight of the event; where the
              floor kept some of a loss, after - before is less than weight · (actual - expected)
    """

    competitor: Competitor
    event: str
    expected: float
    actual: float
    weight: float
    before: float
    after: float
