"""Younger tickets give their place in a match to older ones that wait."""

from collections.abc import Iterator, Sequence

from matchmaking.pairing.teams.fill import Search

__all__ = ["yield_to_older"]

_NONE = -1


def yield_to_older(search: Search, groups: list[list[int]]) -> bool:
    """Let older tickets take the places of younger ones of their size; whether anybody could.

    groups  places of the crowd that is searched, changed in place

    Ends when nobody who waits could take the place of somebody who has waited less, in matches with
    a ticket that is looked at around it. Each exchange improves the list of those matched, oldest first, at the
    first place at which it changes: so it does end.
    """
    yielding = _Yielding(search, groups)
    changed = False
    while yielding.let_in():
        changed = True
    return changed


class _Yielding:
    def __init__(self, search: Search, groups: list[list[int]]) -> None:
        crowd = search.crowd
        self._search, self._crowd, self._groups = search, crowd, groups
        self._group = [_NONE] * len(crowd)
        for number, group in enumerate(groups):
            group.sort()
            for place in group:
                self._group[place] = number
        self._rank = [0] * len(crowd)
        for rank, place in enumerate(crowd.by_age):
            self._rank[place] = rank

    def let_in(self) -> bool:
        """Every one who waits, the oldest first, takes the place of the youngest that it can."""
        waiting = [place for place in self._crowd.by_age if self._group[place] == _NONE]
        changed = False
        for place in waiting:
            for younger in sorted(self._younger(place), key=lambda other: -self._rank[other]):
                if self._fits(place, younger):
                    self._exchange(place, younger)
                    changed = True
                    break
        return changed

    def _younger(self, place: int) -> Iterator[int]:
        """Those in near matches who have waited less and are as many; of others not too far away."""
        crowd, rank = self._crowd, self._rank[place]
        size, spread, own = crowd.size[place], crowd.spread[place], crowd.rating[place]
        numbers = {self._group[other] for other in self._near(place)}
        for number in sorted(numbers - {_NONE}):
            group = self._groups[number]
            for other in group:
                if self._rank[other] > rank and crowd.size[other] == size:
                    low = crowd.rating[group[1] if group[0] == other else group[0]]
                    high = crowd.rating[group[-2] if group[-1] == other else group[-1]]
                    if max(own, high) - min(own, low) <= spread:
                        yield other

    def _near(self, place: int) -> Sequence[int]:
        """Places that are looked at: all near ones, or all that suit where that is known."""
        if self._crowd.band is not None:
            found: list[int] = self._crowd.band.around(place).tolist()
            return found
        most = self._search.most
        return range(max(0, place - most), min(len(self._crowd), place + most + 1))

    def _fits(self, place: int, younger: int) -> bool:
        """Whether the match of the younger could be one with the place instead of it."""
        crowd, search = self._crowd, self._search
        others = [one for one in self._groups[self._group[younger]] if one != younger]
        first, last = min(place, others[0]), max(place, others[-1])
        spread = crowd.rating[last] - crowd.rating[first]
        for one in (place, *others):
            if spread > crowd.spread[one] or first < crowd.low[one] or last >= crowd.high[one]:
                return False
        if crowd.band and not crowd.band.holds_all(place, others):
            return False
        vetoed = crowd.vetoed[place]
        for one in others:
            vetoed |= crowd.vetoed[one]
        if search.maps and not search.maps & ~vetoed:
            return False
        return search.can_split([place, *others])

    def _exchange(self, place: int, younger: int) -> None:
        number = self._group[younger]
        group = self._groups[number]
        group[group.index(younger)] = place
        group.sort()
        self._group[place], self._group[younger] = number, _NONE
