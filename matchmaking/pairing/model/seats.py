"""The players of tickets: a party has several on one ticket, who stay together, and what it counts for as one."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from ratings.systems.arrays import Floats, Ints

__all__ = ["Seats", "strengths"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Seats:
    """r players on n tickets; every array has length r, the players of a ticket stand together.

    ticket     int64, position of the ticket, never falling
    player     int64, who sits there: each once
    rating     float64, rating points
    deviation  float64, rating points; nan where the ladder's system has none
    roles      int64, the roles the player would take, as bits; 0: any

    Raises ValueError when lengths differ, tickets fall or a player is there twice.
    """

    ticket: Ints
    player: Ints
    rating: Floats
    deviation: Floats
    roles: Ints

    def __post_init__(self) -> None:
        for name in ("ticket", "player", "roles"):
            column = np.asarray(getattr(self, name), dtype=np.int64)
            object.__setattr__(self, name, column)
        for name in ("rating", "deviation"):
            column = np.asarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, column)
        for name in ("player", "rating", "deviation", "roles"):
            if getattr(self, name).shape != self.ticket.shape:
                raise ValueError(f"{name} must be as long as ticket, which has {len(self)} rows")
        if (np.diff(self.ticket) < 0).any():
            raise ValueError("the seats of a ticket must stand together, tickets in their order")
        players = np.sort(self.player)
        if (again := np.flatnonzero(players[1:] == players[:-1])).size:
            raise ValueError(f"player {players[again[0]]} is there twice: must be there once")

    @classmethod
    def alone(cls, player: Ints, rating: Floats, deviation: Floats) -> Self:
        """One player on each ticket, who takes any role."""
        tickets = np.arange(len(player))
        return cls(
            ticket=tickets,
            player=player,
            rating=rating,
            deviation=deviation,
            roles=np.zeros(len(player), dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.ticket)

    @property
    def starts(self) -> Ints:
        """int64, length n + 1: the first seat of each ticket, and r."""
        n = int(self.ticket[-1]) + 1 if len(self) else 0
        return np.searchsorted(self.ticket, np.arange(n + 1))

    @property
    def sizes(self) -> Ints:
        """int64, length n: how many players each ticket has."""
        return np.bincount(self.ticket)


def strengths(seats: Seats, party_bonus: float = 0.0) -> tuple[Floats, Floats]:
    """Rating and deviation of each ticket, float64 of length n, in rating points.

    The rating is the mean of the players', with `party_bonus` points for each player beyond the
    first; the deviation is the root mean square of theirs, nan where one has none.
    """
    starts = seats.starts[:-1]
    if len(starts) == len(seats):
        return seats.rating, seats.deviation
    sizes = np.diff(seats.starts)
    rating = np.add.reduceat(seats.rating, starts) / sizes + party_bonus * (sizes - 1)
    variance: Floats = np.add.reduceat(seats.deviation**2, starts) / sizes
    return rating, np.sqrt(variance)
