"""What a team has room for: parties, each whole in one team, and players for the roles that it needs."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

__all__ = ["REFUSED", "Roles", "TeamPacking", "packs"]

REFUSED = -1
_UNKNOWN = -2
# Searched for so long that a larger figure has found nothing more in any match tried.
_MOST_STEPS = 20_000
# Figures for all sets of roles stand side by side in one whole number: one sum adds them all up.
_BITS = 16
_MOST_FOR_ALL_SETS = 10


@lru_cache(maxsize=20_000)
def packs(sizes: tuple[int, ...], count: int, size: int) -> bool:
    """Whether parties of these sizes, largest first, find room in `count` teams of `size` players.

    The fullest team that still has room is tried first. Exact, unless a match of very many parties
    takes more steps than are allowed: then False.
    """
    if sum(sizes) > count * size or (sizes and sizes[0] > size):
        return False
    parties = [party for party in sizes if party > 1]  # who is alone fits anywhere
    if not parties or sum(parties) <= count * (size - parties[0] + 1):
        return True  # a team without room for the largest would be fuller than that
    # Depth first without recursion; what is still free decides, so each such rest is tried once.
    tried, open_rests = set[tuple[int, ...]](), [(0, (size,) * count)]
    for _ in range(_MOST_STEPS):
        if not open_rests:
            return False
        placed, free = open_rests.pop()
        if placed == len(parties):
            return True
        party = parties[placed]
        for room in sorted(set(free), reverse=True):  # the fullest team last: it is tried next
            if room < party:
                break
            rest = list(free)
            rest[rest.index(room)] = room - party
            further = tuple(sorted(rest))
            if (placed + 1, *further) not in tried:
                tried.add((placed + 1, *further))
                open_rests.append((placed + 1, further))
    return False


class TeamPacking:
    """Which parties can still join those of a match so that all of them fit into its teams.

    States are numbers, 0 of a match of nobody; found out when asked for, and kept.
    """

    def __init__(self, count: int, size: int) -> None:
        self.count, self.size = count, size
        self.capacity = count * size
        self.taken: list[int] = []  # players, by state
        self._parties: list[tuple[int, ...]] = []
        self._next: list[list[int]] = []
        self._known: dict[tuple[tuple[int, ...], int], int] = {}
        self._state((), 0)

    def join(self, state: int, party: int) -> int:
        """The state with a party of so many players more; REFUSED where it does not fit."""
        following = self._next[state][party]
        if following == _UNKNOWN:
            parties, taken = self._parties[state], self.taken[state] + party
            if party > 1:
                parties = tuple(sorted((*parties, party), reverse=True))
            fits = taken <= self.capacity and packs(parties, self.count, self.size)
            following = self._state(parties, taken) if fits else REFUSED
            self._next[state][party] = following
        return following

    def _state(self, parties: tuple[int, ...], taken: int) -> int:
        state = self._known.setdefault((parties, taken), len(self.taken))
        if state == len(self.taken):
            self.taken.append(taken)
            self._parties.append(parties)
            self._next.append([_UNKNOWN] * (self.size + 1))
        return state


class Roles:
    """How many of each role a team needs, and whether its players can fill them; a player's roles are bits, 0: any.

    A team has slots for roles and slots for anybody. They can all be filled exactly when, for every
    set of roles, no more players take none of these than there are slots outside the set (Hall, 1935).
    So what counts are players *missing* a set, for each set; these figures never fall as a team grows.
    """

    def __init__(self, needed: Mapping[str, int], *, count: int, size: int) -> None:
        """needed: players by role, in the order of the bits; in each of `count` teams of `size`."""
        numbers = list(needed.values())
        self._numbers, self._size = numbers, size
        # Sets of roles as bits: all of them, or of many roles those of one, two, all and all but one.
        self._is_exact = len(numbers) <= _MOST_FOR_ALL_SETS
        every, one = (1 << len(numbers)) - 1, [1 << role for role in range(len(numbers))]
        self._sets = list(range(1, every + 1)) if self._is_exact else []
        if not self._is_exact:
            two = [first | second for first, second in combinations(one, 2)]
            self._sets = [*one, *two, every, *(every ^ role for role in one)]
        self.is_needed = bool(numbers)
        outside = [
            size - sum(number for role, number in enumerate(numbers) if roles >> role & 1)
            for roles in self._sets
        ]
        self.is_possible = min(outside, default=0) >= 0
        self._over = _side_by_side([1 << (_BITS - 1)] * len(outside))
        self._team = self._allowance(outside)
        self._match = self._allowance([count * slots for slots in outside])
        self._missing: dict[int, int] = {}

    def missing(self, roles: Iterable[int]) -> int:
        """What players with these roles miss: to be added up over a team or a match."""
        total = 0
        for one in roles:
            if one not in self._missing:
                misses = [int(one != 0 and not one & wanted) for wanted in self._sets]
                self._missing[one] = _side_by_side(misses)
            total += self._missing[one]
        return total

    def allows_team(self, missing: int) -> bool:
        """Whether players who miss so much can be in one team."""
        return not (missing + self._team) & self._over

    def allows_match(self, missing: int) -> bool:
        """Whether players who miss so much can be in one match, for all that one can say yet."""
        return not (missing + self._match) & self._over

    def fills(self, roles: Sequence[int]) -> bool:
        """Whether a whole team with these roles fills every slot, by giving slots to players."""
        if self._is_exact:
            return self.allows_team(self.missing(roles))
        slots = [role for role, number in enumerate(self._numbers) for _ in range(number)]
        holder: dict[int, int] = {}
        return all(_give(slot, slots, roles, holder, set()) for slot in range(len(slots)))

    def _allowance(self, most: Sequence[int]) -> int:
        """Added to figures of which one is above `most`, this shows in the highest bit of that one."""
        if not self.is_possible:
            return self._over
        return _side_by_side([(1 << (_BITS - 1)) - 1 - number for number in most])


def _side_by_side(figures: Sequence[int]) -> int:
    return sum(figure << (_BITS * at) for at, figure in enumerate(figures))


def _give(
    slot: int, slots: list[int], roles: Sequence[int], holder: dict[int, int], seen: set[int]
) -> bool:
    """Give the slot to a player, who may have to make another slot free to somebody else."""
    for player, own in enumerate(roles):
        if player not in seen and (own == 0 or own >> slots[slot] & 1):
            seen.add(player)
            before = holder.get(player)
            if before is None or _give(before, slots, roles, holder, seen):
                holder[player] = slot
                return True
    return False
