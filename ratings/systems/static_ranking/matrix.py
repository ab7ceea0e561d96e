"""Who fragged whom how often, stored by pairs that met."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from ratings.systems.arrays import Floats, Ints, whole_row

__all__ = ["FragMatrix", "Pairs"]

_MOST = 1_000_000_000  # frags of a pair: what weights beside each other can bear


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The p pairs that met, each once: `first` below `second`, int64; frags float64.

    won   frags of first on second
    lost  frags of second on first; won + lost is above 0
    """

    first: Ints
    second: Ints
    won: Floats
    lost: Floats

    def __len__(self) -> int:
        return len(self.first)

    @property
    def frags(self) -> Floats:
        """Frags of both: float64, length p."""
        return self.won + self.lost

    @property
    def difference(self) -> Floats:
        """d = (a_ij - a_ji) / (a_ij + a_ji), -1..1: float64, length p."""
        return (self.won - self.lost) / self.frags


@dataclass(frozen=True, slots=True, eq=False)
class FragMatrix:
    """Frags among n players; each (killer, victim) once, none 0, in ascending order.

    killer, victim, frags  int64, of one length; killer = victim is a suicide
    players                n
    """

    killer: Ints
    victim: Ints
    frags: Ints
    players: int

    @classmethod
    def of(
        cls,
        killer: ArrayLike,
        victim: ArrayLike,
        frags: ArrayLike | None = None,
        *,
        players: int,
    ) -> Self:
        """Add up frags in any order; `frags` left out: one each.

        Raises ValueError when lengths differ, a position is not from 0 to n - 1, or a count is
        negative or no whole number, or a pair's is above a thousand million.
        """
        kills, deaths = whole_row("killer", killer), whole_row("victim", victim)
        counts = np.ones_like(kills) if frags is None else whole_row("frags", frags)
        if not kills.shape == deaths.shape == counts.shape:
            raise ValueError(
                f"killer, victim and frags have shapes {kills.shape}, {deaths.shape}, "
                f"{counts.shape}: must be equally long"
            )
        if (highest := max(np.max(kills, initial=-1), np.max(deaths, initial=-1))) >= players:
            raise ValueError(f"a frag names player {highest}: must be below {players}")
        pair, index = np.unique(kills * players + deaths, return_inverse=True)
        total = np.zeros(len(pair), dtype=np.int64)
        np.add.at(total, index, counts)
        if (most := np.max(total, initial=0)) > _MOST:
            raise ValueError(f"frags of a pair add up to {most}: must be at most {_MOST}")
        pair, total = pair[total > 0], total[total > 0]
        return cls(pair // max(players, 1), pair % max(players, 1), total, players)

    @property
    def suicides(self) -> Ints:
        """int64, length n."""
        return self._count(self.victim, own=True)

    @property
    def kills(self) -> Ints:
        """Frags of each player on others: int64, length n."""
        return self._count(self.killer, own=False)

    @property
    def deaths(self) -> Ints:
        """Frags of others on each player: int64, length n."""
        return self._count(self.victim, own=False)

    def pairs(self) -> Pairs:
        """The pairs that met; suicides are left out."""
        is_frag = self.killer != self.victim
        killer, victim, frags = self.killer[is_frag], self.victim[is_frag], self.frags[is_frag]
        low, high = np.minimum(killer, victim), np.maximum(killer, victim)
        pair, index = np.unique(low * self.players + high, return_inverse=True)
        won, lost = (
            np.bincount(index, weights=frags * part, minlength=len(pair)).astype(float)
            for part in (killer < victim, killer > victim)
        )
        return Pairs(pair // max(self.players, 1), pair % max(self.players, 1), won, lost)

    def take(self, positions: ArrayLike) -> "FragMatrix":
        """The frags among some players, who become 0, 1, … in the order given."""
        chosen = np.asarray(positions, dtype=np.int64)
        index = np.full(self.players, -1)
        index[chosen] = np.arange(len(chosen))
        killer, victim = index[self.killer], index[self.victim]
        inside = (killer >= 0) & (victim >= 0)
        return FragMatrix.of(
            killer[inside], victim[inside], self.frags[inside], players=len(chosen)
        )

    def _count(self, who: Ints, *, own: bool) -> Ints:
        counted = (self.killer == self.victim) == own
        total = np.zeros(self.players, dtype=np.int64)
        np.add.at(total, who[counted], self.frags[counted])
        return total
