"""What a stream remembers of a competitor."""

from dataclasses import dataclass

from ratings.systems.frags.competitors import Competitor

__all__ = ["Standing", "Tally"]


@dataclass(slots=True)
class Tally:
    """Running figures; `team` is the one seen last."""

    rating: float
    team: str | None = None
    frags: int = 0
    deaths: int = 0
    suicides: int = 0
    team_kills: int = 0
    events: int = 0

    @property
    def games(self) -> int:
        """Everything that was rated with him in it."""
        return self.frags + self.deaths + self.suicides + self.team_kills + self.events


@dataclass(frozen=True, slots=True)
class Standing:
    """A competitor's place on the ladder; equal ratings share a place."""

    place: int
    competitor: Competitor
    rating: float
    frags: int
    deaths: int
    suicides: int
    team_kills: int
    events: int
    games: int
