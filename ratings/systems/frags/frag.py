"""What a frag log tells, line by line."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["EVENT_WEIGHTS", "Frag", "Side"]

# A frag is a duel of 1:0; other events are worth so many frags.
EVENT_WEIGHTS: Mapping[str, float] = MappingProxyType({"frag": 1.0, "capture": 7.0})


@dataclass(frozen=True, slots=True)
class Side:
    """Who did something, or to whom it was done; team, clan and role where the game tells them."""

    name: str
    team: str | None = None
    clan: str | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Frag:
    """One event of a game.

    killer  who did it; None where nobody did (a fall)
    victim  to whom; None where the event has no clear opponent (a capture)
    event   a name from the weights that are in force
    weight  how many frags it is worth; None: what its name is

    Raises ValueError when there is neither.
    """

    killer: Side | None
    victim: Side | None
    event: str = "frag"
    weight: float | None = None

    def __post_init__(self) -> None:
        if self.killer is None and self.victim is None:
            raise ValueError(f"{self.event}: must have a killer or a victim")

    @property
    def is_suicide(self) -> bool:
        """Whether nobody else had a hand in it."""
        if self.victim is None:
            return False
        return self.killer is None or self.killer.name == self.victim.name

    @property
    def is_team_kill(self) -> bool:
        """Whether killer and victim are known to be of one team."""
        if self.killer is None or self.victim is None or self.is_suicide:
            return False
        return self.killer.team is not None and self.killer.team == self.victim.team
