"""Roles that a team needs, and whether its players can fill them.

A team has places for roles and places for anybody. They can all be filled exactly when, for every
set of roles, no more players take none of these than there are places outside the set (Hall, 1935).
So what counts are players *missing* a set, for each set; these figures never fall as a team grows.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

__all__ = ["Roles"]

# Figures for all sets of roles stand side by side in one whole number: one sum adds them all up.
_BITS = 16
_MOST_FOR_ALL_SETS = 10


class Roles:
    """How many of each role a team needs; a player's roles are bits, 0: any."""

    def __init__(self, needed: Mapping[str, int], *, count: int, size: int) -> None:
        """needed: players by role, in the order of the bits; in each of `count` teams of `size`."""
        numbers = list(needed.values())
        self._numbers, self._size = numbers, size
        self._sets = _sets(len(numbers))
        self._is_exact = len(numbers) <= _MOST_FOR_ALL_SETS
        self.is_needed = bool(numbers)
        outside = [size - sum(_pick(numbers, roles)) for roles in self._sets]
        self.is_possible = min(outside, default=0) >= 0
        self._over = _side_by_side([1 << (_BITS - 1)] * len(outside))
        self._team = self._allowance(outside)
        self._match = self._allowance([count * places for places in outside])
        self._missing: dict[int, int] = {}

    def missing(self, roles: Iterable[int]) -> int:
        """What players with these roles miss: to be added up over a team or a match."""
        return sum(self._missing_of(one) for one in roles)

    def allows_team(self, missing: int) -> bool:
        """Whether players who miss so much can be in one team."""
        return not (missing + self._team) & self._over

    def allows_match(self, missing: int) -> bool:
        """Whether players who miss so much can be in one match, for all that one can say yet."""
        return not (missing + self._match) & self._over

    def fills(self, roles: Sequence[int]) -> bool:
        """Whether a whole team with these roles fills every place, by giving places to players."""
        if self._is_exact:
            return self.allows_team(self.missing(roles))
        places = [role for role, number in enumerate(self._numbers) for _ in range(number)]
        holder: dict[int, int] = {}
        return all(_give(place, places, roles, holder, set()) for place in range(len(places)))

    def _allowance(self, most: Sequence[int]) -> int:
        """Added to figures of which one is above `most`, this shows in the highest bit of that one."""
        if not self.is_possible:
            return self._over
        return _side_by_side([(1 << (_BITS - 1)) - 1 - number for number in most])

    def _missing_of(self, roles: int) -> int:
        if roles not in self._missing:
            misses = [int(roles != 0 and not roles & wanted) for wanted in self._sets]
            self._missing[roles] = _side_by_side(misses)
        return self._missing[roles]


def _sets(roles: int) -> list[int]:
    """Sets of roles as bits: all of them, or of many roles those of one, two, all and all but one."""
    if roles <= _MOST_FOR_ALL_SETS:
        return list(range(1, 1 << roles))
    every, one = (1 << roles) - 1, [1 << role for role in range(roles)]
    two = [first | second for first, second in combinations(one, 2)]
    return [*one, *two, every, *(every ^ role for role in one)]


def _pick(numbers: Sequence[int], roles: int) -> list[int]:
    return [number for role, number in enumerate(numbers) if roles >> role & 1]


def _side_by_side(figures: Sequence[int]) -> int:
    return sum(figure << (_BITS * at) for at, figure in enumerate(figures))


def _give(
    place: int, places: list[int], roles: Sequence[int], holder: dict[int, int], seen: set[int]
) -> bool:
    """Give the place to a player, who may have to make another place free to somebody else."""
    for player, own in enumerate(roles):
        if player not in seen and (own == 0 or own >> places[place] & 1):
            seen.add(player)
            before = holder.get(player)
            if before is None or _give(before, places, roles, holder, seen):
                holder[player] = place
                return True
    return False
