"""A model as bytes, and back: ids of players and their vectors, in half precision of the machine's."""

from dataclasses import dataclass
from io import BytesIO

import numpy as np

from matchmaking.pairing.taste.factors import Learned
from ratings.systems.arrays import Ints

__all__ = ["Packed", "pack", "unpack"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Packed:
    """A model, and whose vectors they are: `players`, int64, ascending."""

    players: Ints
    learned: Learned

    def rows(self, players: Ints) -> Ints:
        """Where each of these stands; -1 for those it does not know."""
        at = np.searchsorted(self.players, players)
        known = (
            self.players.take(at, mode="clip") == players
            if len(self.players)
            else np.zeros(len(players), dtype=np.bool_)
        )
        return np.where(known, at, -1)


def pack(packed: Packed) -> bytes:
    """As it is stored."""
    file, learned = BytesIO(), packed.learned
    np.savez_compressed(
        file,
        players=packed.players,
        author=learned.author.astype(np.float32),
        subject=learned.subject.astype(np.float32),
        steps=learned.steps,
    )
    return file.getvalue()


def unpack(stored: bytes) -> Packed:
    """Read what `pack` has written."""
    with np.load(BytesIO(stored), allow_pickle=False) as found:
        learned = Learned(
            author=found["author"].astype(np.float64),
            subject=found["subject"].astype(np.float64),
            steps=found["steps"],
        )
        return Packed(players=found["players"], learned=learned)
