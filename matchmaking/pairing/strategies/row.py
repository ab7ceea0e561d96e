"""Tickets in a row, who leave it one after another."""

from collections.abc import Iterator

from ratings.systems.arrays import Floats, Ints

__all__ = ["Row"]

_END = -1


class Row:
    """Tickets in ascending order of a figure, and from each of them the others who still stand there.

    A step costs the same however many have left: each place knows the next that is taken.
    """

    __slots__ = ("_above", "_at", "_below", "_first", "_place", "_tickets")

    def __init__(self, tickets: Ints, at: Floats) -> None:
        """`tickets` are positions in the order of `at`, their figures, which never fall."""
        n = len(tickets)
        self._tickets: list[int] = tickets.tolist()
        self._at: list[float] = at.tolist()
        self._place = {ticket: place for place, ticket in enumerate(self._tickets)}
        self._above = [*range(1, n), _END]
        self._below = list(range(-1, n - 1))
        self._first = 0 if n else _END

    def __contains__(self, ticket: int) -> bool:
        return ticket in self._place

    def remove(self, ticket: int) -> None:
        """Let a ticket that stands here leave."""
        place = self._place.pop(ticket)
        below, above = self._below[place], self._above[place]
        if below == _END:
            self._first = above
        else:
            self._above[below] = above
        if above != _END:
            self._below[above] = below

    def others(self, ticket: int) -> Iterator[int]:
        """Everybody else, from the first of the row on. Nobody may leave before the end."""
        place = self._first
        while place != _END:
            if self._tickets[place] != ticket:
                yield self._tickets[place]
            place = self._above[place]

    def around(self, ticket: int) -> Iterator[tuple[float, int]]:
        """Everybody else, nearest first, each behind the distance. Nobody may leave before the end.

        Of two equally near the lower one comes first.
        """
        at, own = self._at, self._at[self._place[ticket]]
        below, above = self._below[self._place[ticket]], self._above[self._place[ticket]]
        while below != _END or above != _END:
            down = own - at[below] if below != _END else float("inf")
            up = at[above] - own if above != _END else float("inf")
            if down <= up:
                yield down, self._tickets[below]
                below = self._below[below]
            else:
                yield up, self._tickets[above]
                above = self._above[above]
