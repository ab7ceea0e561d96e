"""Waiting tickets as arrays, the players on them, and what stands between two of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Members", "Tickets", "Ties", "strengths"]

_LARGEST_RATING = 1e9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Members:
    """r players on n tickets; every array has length r, the players of a ticket stand together.

    A party has several players on one ticket: they stay together, and it counts for as much as their mean.

    ticket     int64, position of the ticket, never falling
    player     int64, each once
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
            raise ValueError("the players of a ticket must stand together, tickets in their order")
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
        """int64, length n + 1: the first row of each ticket, and r."""
        n = int(self.ticket[-1]) + 1 if len(self) else 0
        return np.searchsorted(self.ticket, np.arange(n + 1))

    @property
    def sizes(self) -> Ints:
        """int64, length n: how many players each ticket has."""
        return np.bincount(self.ticket)


def strengths(members: Members, party_bonus: float = 0.0) -> tuple[Floats, Floats]:
    """Rating and deviation of each ticket, float64 of length n, in rating points.

    The rating is the mean of the players', with `party_bonus` points for each player beyond the
    first; the deviation is the root mean square of theirs, nan where one has none.
    """
    starts = members.starts[:-1]
    if len(starts) == len(members):
        return members.rating, members.deviation
    sizes = np.diff(members.starts)
    rating = np.add.reduceat(members.rating, starts) / sizes + party_bonus * (sizes - 1)
    variance: Floats = np.add.reduceat(members.deviation**2, starts) / sizes
    return rating, np.sqrt(variance)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ties:
    """t pairs of tickets, as positions, that have to do with each other; every array has length t.

    one, other  int64; a pair counts in both directions and may stand in either
    value       float64, what the tie is worth: its meaning is the condition's that reads it

    Of a pair that is there several times the highest value counts. Raises ValueError when lengths
    differ or a ticket is tied to itself.
    """

    one: Ints
    other: Ints
    value: Floats
    _keys: Ints = field(init=False, repr=False)
    _is_tied: Bools = field(init=False, repr=False)

    def __post_init__(self) -> None:
        one, other = (np.asarray(ends, dtype=np.int64) for ends in (self.one, self.other))
        value = np.asarray(self.value, dtype=np.float64)
        if not one.shape == other.shape == value.shape or one.ndim != 1:
            raise ValueError(
                f"one has shape {one.shape}, other {other.shape}, value {value.shape}: "
                "columns must be one-dimensional and equally long"
            )
        if (alone := np.flatnonzero(one == other)).size:
            raise ValueError(f"ticket {one[alone[0]]} is tied to itself: two tickets make a tie")
        low, high = np.minimum(one, other), np.maximum(one, other)
        order = np.lexsort((-value, high, low))
        for name, column in (("one", low), ("other", high), ("value", value)):
            object.__setattr__(self, name, column[order])
        # One number for a pair: there are never 2^31 tickets.
        object.__setattr__(self, "_keys", self.one << 32 | self.other)
        is_tied = np.zeros(int(high.max(initial=-1)) + 1, dtype=np.bool_)
        is_tied[low] = is_tied[high] = True
        object.__setattr__(self, "_is_tied", is_tied)

    def __len__(self) -> int:
        return len(self.one)

    def moved(self, place: Ints) -> "Ties":
        """The same between tickets that stand elsewhere now: `place` of each before, -1 of who is left out."""
        one, other = place.take(self.one), place.take(self.other)
        kept = (one >= 0) & (other >= 0)
        return Ties(one=one[kept], other=other[kept], value=self.value[kept])

    def between(self, one: Ints, other: Ints) -> Floats:
        """The figure of each pair, nan for those that are not tied."""
        found = np.full(len(one), np.nan)
        if len(self):
            # Most are tied to nobody, and their pairs are not looked for.
            asked = np.flatnonzero(
                self._is_tied.take(one, mode="clip") & self._is_tied.take(other, mode="clip")
            )
            one, other = one.take(asked), other.take(asked)
            wanted = np.minimum(one, other) << 32 | np.maximum(one, other)
            position = np.searchsorted(self._keys, wanted)
            known = np.flatnonzero(self._keys.take(position, mode="clip") == wanted)
            found[asked.take(known)] = self.value.take(position.take(known))
        return found


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tickets:
    """n tickets, in any order, of one player or of a party each; every array has length n.

    id         int64, the ticket's own number; of two that waited equally long the lower is older
    player     int64, who waits; of a party its leader
    rating     float64, rating points; of a party what it counts for
    deviation  float64, rating points; nan where the ladder's system has none
    waited     float64, seconds since the search began, 0 or more
    traits     further columns by name, of which the first dimension is n: what conditions read
    ties       what stands between two tickets, by name
    members    the players of all tickets; left out where each ticket has one

    Raises ValueError, naming the ticket, when lengths differ, a figure is not finite or out of its
    range, or an id or a player is there twice.
    """

    id: Ints
    player: Ints
    rating: Floats
    deviation: Floats
    waited: Floats
    traits: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    ties: Mapping[str, Ties] = field(default_factory=dict)
    members: Members = None  # type: ignore[assignment]  # one for each ticket when left out

    def __post_init__(self) -> None:
        for name in ("id", "player"):
            numbers = np.asarray(getattr(self, name))
            if numbers.size and numbers.dtype.kind not in "iu":
                raise ValueError(f"{name} is of type {numbers.dtype}: must be whole numbers")
            object.__setattr__(self, name, numbers.astype(np.int64, copy=False))
        for name in ("rating", "deviation", "waited"):
            column = np.asarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, column)
        for name in ("id", "player", "rating", "deviation", "waited"):
            shape = getattr(self, name).shape
            if len(shape) != 1 or shape != self.id.shape:
                raise ValueError(
                    f"{name} has shape {shape} and id {self.id.shape}: "
                    "columns must be one-dimensional and equally long"
                )
        self._check_once("id")
        alone = Members.alone(self.player, self.rating, self.deviation)
        object.__setattr__(self, "members", alone if self.members is None else self.members)
        self._check_once("player")
        for name, column in self.traits.items():
            if len(column) != len(self):
                raise ValueError(
                    f"trait {name} has length {len(column)}: must be {len(self)}, one a ticket"
                )
        if not np.array_equal(np.unique(self.members.ticket), np.arange(len(self))):
            raise ValueError(f"members must be players of each of the {len(self)} tickets")
        fits = np.abs(self.rating) <= _LARGEST_RATING  # written so that nan fails too
        self._check("rating", fits, f"must be a number of at most {_LARGEST_RATING:g} points")
        spread = np.isnan(self.deviation) | ((self.deviation >= 0) & np.isfinite(self.deviation))
        self._check("deviation", spread, "must be 0 or more, or nan for none")
        since = (self.waited >= 0) & np.isfinite(self.waited)
        self._check("waited", since, "must be 0 or more seconds")

    def __len__(self) -> int:
        return len(self.id)

    def by_age(self) -> Ints:
        """Positions of the tickets, who has waited longest first."""
        return np.lexsort((self.id, -self.waited))

    def in_order(self, order: Ints) -> "Tickets":
        """The tickets at the positions `order`, that of `order[k]` now at position k; without those it leaves out."""
        sizes = self.members.sizes.take(order)
        ticket = np.repeat(np.arange(len(order)), sizes)
        first = self.members.starts.take(order) - (np.cumsum(sizes) - sizes)
        row = np.arange(len(ticket)) + first.take(ticket)
        place = np.full(len(self), -1, dtype=np.int64)
        place[order] = np.arange(len(order))
        names = ("player", "rating", "deviation", "roles")
        return Tickets(
            id=self.id.take(order),
            player=self.player.take(order),
            rating=self.rating.take(order),
            deviation=self.deviation.take(order),
            waited=self.waited.take(order),
            traits={name: column.take(order, axis=0) for name, column in self.traits.items()},
            ties={name: tie.moved(place) for name, tie in self.ties.items()},
            members=Members(
                ticket=ticket, **{name: getattr(self.members, name).take(row) for name in names}
            ),
        )

    def _check_once(self, name: str) -> None:
        column = np.sort(getattr(self, name))
        if (again := np.flatnonzero(column[1:] == column[:-1])).size:
            raise ValueError(f"{name} {column[again[0]]} is there twice: must be there once")

    def _check(self, name: str, is_right: Bools, expected: str) -> None:
        if not is_right.all():
            wrong = np.flatnonzero(~is_right)[0]
            value = getattr(self, name)[wrong]
            raise ValueError(f"ticket {self.id[wrong]}: {name} is {value}: {expected}")
