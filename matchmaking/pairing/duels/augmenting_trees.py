"""Searching a graph for alternating paths, odd circles shrunk to one place (Edmonds 1965)."""

from collections import deque

from matchmaking.pairing.duels.matching import FREE

__all__ = ["Tree"]

_NONE = -1


class Tree:
    """All alternating paths from one free place.

    neighbours  of each place those that accept it and whom it accepts
    partner     of each place, FREE for none; changed when a path is taken

    An *outer* place is one that could be left free instead of the root.
    """

    def __init__(self, neighbours: list[list[int]], partner: list[int], root: int) -> None:
        n = len(partner)
        self.neighbours, self.partner, self.root = neighbours, partner, root
        self.base = list(range(n))
        self.before = [_NONE] * n
        self.is_outer = [False] * n
        self.is_outer[root] = True
        self.end = self._grow()

    def outer(self) -> list[int]:
        """The places that the root could stand in for, itself among them."""
        return [place for place, is_outer in enumerate(self.is_outer) if is_outer]

    def take_path(self) -> None:
        """Match the root and the free place at the end of the path; there must be one."""
        self._turn(self.end)

    def stand_in(self, place: int) -> None:
        """Match the root and leave free `place`, which is outer."""
        freed = self.partner[place]
        self.partner[place] = FREE
        self._turn(freed)

    def _grow(self) -> int:
        """Grow until a free place is found, which is returned; -1 if there is none."""
        queue = deque([self.root])
        while queue:
            place = queue.popleft()
            for other in self.neighbours[place]:
                if self.base[place] == self.base[other] or self.partner[place] == other:
                    continue
                beside = self.partner[other]
                if other == self.root or (beside != FREE and self.before[beside] != _NONE):
                    queue.extend(self._shrink(place, other))
                elif self.before[other] == _NONE:
                    self.before[other] = place
                    if beside == FREE:
                        return other
                    self.is_outer[beside] = True
                    queue.append(beside)
        return _NONE

    def _shrink(self, one: int, other: int) -> list[int]:
        """Make the odd circle that the two close one place; the places that are outer by it."""
        top, circle = self._meeting(one, other), set[int]()
        self._mark(one, top, other, circle)
        self._mark(other, top, one, circle)
        new = []
        for place in range(len(self.base)):
            if self.base[place] in circle:
                self.base[place] = top
                if not self.is_outer[place]:
                    self.is_outer[place] = True
                    new.append(place)
        return new

    def _meeting(self, one: int, other: int) -> int:
        """Where the paths of the two to the root meet."""
        passed = set[int]()
        place = one
        while True:
            place = self.base[place]
            passed.add(place)
            if self.partner[place] == FREE:
                break
            place = self.before[self.partner[place]]
        place = self.base[other]
        while place not in passed:
            place = self.base[self.before[self.partner[place]]]
        return place

    def _mark(self, place: int, top: int, beyond: int, circle: set[int]) -> None:
        while self.base[place] != top:
            beside = self.partner[place]
            circle.update((self.base[place], self.base[beside]))
            self.before[place] = beyond
            beyond = beside
            place = self.before[beside]

    def _turn(self, place: int) -> None:
        """Pair the steps of the path from `place` to the root the other way round."""
        while place != FREE:
            one = self.before[place]
            following = self.partner[one]
            self.partner[place], self.partner[one] = one, place
            place = following
