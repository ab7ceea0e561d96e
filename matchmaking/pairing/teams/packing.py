"""Parties into teams, each whole in one."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

__all__ = ["REFUSED", "Shape", "packs"]

REFUSED = -1
_UNKNOWN = -2
# Searched for so long that a larger figure has found nothing more in any match tried.
_MOST_STEPS = 20_000


@lru_cache(maxsize=20_000)
def packs(sizes: tuple[int, ...], count: int, size: int) -> bool:
    """Whether parties of these sizes, largest first, find room in `count` teams of `size` players.

    The fullest team that still has room is tried first. Exact, unless a match of very many parties
    takes more steps than are allowed: then False.
    """
    if sum(sizes) > count * size or (sizes and sizes[0] > size):
        return False
    several = [party for party in sizes if party > 1]  # who is alone fits anywhere
    if not several or sum(several) <= count * (size - several[0] + 1):
        return True  # a team without room for the largest would be fuller than that
    return _search(several, [size] * count)


def _search(parties: list[int], free: list[int]) -> bool:
    """Depth first without recursion; what is still free decides, so each such rest is tried once."""
    tried, open_rests = set[tuple[int, ...]](), [(0, tuple(free))]
    for _ in range(_MOST_STEPS):
        if not open_rests:
            return False
        placed, rest = open_rests.pop()
        if placed == len(parties):
            return True
        for further in _place(parties[placed], rest):
            if (placed + 1, *further) not in tried:
                tried.add((placed + 1, *further))
                open_rests.append((placed + 1, further))
    return False


def _place(party: int, free: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """What is free when the party has gone to a team; to the fullest team last."""
    for room in sorted(set(free), reverse=True):
        if room >= party:
            rest = list(free)
            rest[rest.index(room)] = room - party
            yield tuple(sorted(rest))


class Shape:
    """Which parties can still join those of a match so that all of them fit into its teams.

    States are numbers, 0 of a match of nobody; found out when asked for, and kept.
    """

    def __init__(self, count: int, size: int) -> None:
        self.count, self.size = count, size
        self.places = count * size
        self.taken: list[int] = []  # players, by state
        self._parties: list[tuple[int, ...]] = []
        self._next: list[list[int]] = []
        self._known: dict[tuple[tuple[int, ...], int], int] = {}
        self._state((), 0)

    def join(self, state: int, party: int) -> int:
        """The state with a party of so many players more; REFUSED where it does not fit."""
        following = self._next[state][party]
        return self._find(state, party) if following == _UNKNOWN else following

    def _find(self, state: int, party: int) -> int:
        parties, taken = self._parties[state], self.taken[state] + party
        if party > 1:
            parties = tuple(sorted((*parties, party), reverse=True))
        fits = taken <= self.places and packs(parties, self.count, self.size)
        found = self._state(parties, taken) if fits else REFUSED
        self._next[state][party] = found
        return found

    def _state(self, parties: tuple[int, ...], taken: int) -> int:
        state = self._known.setdefault((parties, taken), len(self.taken))
        if state == len(self.taken):
            self.taken.append(taken)
            self._parties.append(parties)
            self._next.append([_UNKNOWN] * (self.size + 1))
        return state
