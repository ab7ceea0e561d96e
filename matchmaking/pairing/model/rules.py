"""What a queue demands of a pair."""

from dataclasses import dataclass

from matchmaking.pairing.condition import Widening
from ratings.systems.arrays import Floats

__all__ = ["Rules"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How far apart two ratings may be, and how waiting widens it.

    gap_start       rating points that somebody accepts who has just begun to wait
    gap_per_second  rating points more for every second of waiting
    gap_cap         the most that waiting can lead to; None: no limit

    Raises ValueError when a figure is negative or not finite, or the cap is below the start.
    """

    gap_start: float
    gap_per_second: float
    gap_cap: float | None = None

    def __post_init__(self) -> None:
        try:
            _ = self.widening
        except ValueError as error:
            raise ValueError(f"gap_{error}") from error

    @property
    def widening(self) -> Widening:
        """The same as what a condition accepts."""
        return Widening(start=self.gap_start, per_second=self.gap_per_second, cap=self.gap_cap)

    def tolerances(self, waited: Floats) -> Floats:
        """Rating points that tickets accept after `waited` seconds; same shape as `waited`."""
        return self.widening.tolerances(waited)
