"""A league in which some leave their matches: whom these meet, and what it costs everybody else.

Pure, and everything random comes from the seed. Searches come as a Poisson stream; each is by somebody who is free, and
who cools off does not come. A leaver leaves some of its matches; what that leads to is handed in.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.tickets import Members, Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["League", "Played", "play_league"]

_DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """Who plays, and by which rules.

    players         how many there are
    leavers         share of those who leave
    leaves          chance that a leaver leaves a match
    arrivals        searches a second
    seconds         how long the league is watched; those of `warm_up` before are not counted
    match_seconds   how long a match takes
    spread          of the ratings
    begins_with     points of each leaver at the start
    left            points for leaving; 0: nothing follows from it
    half_life_days  of points
    cools_for       seconds of cooling off by points and offences; None: nobody cools off
    """

    players: int
    leavers: float = 0.05
    leaves: float = 0.5
    arrivals: float = 0.1
    seconds: float = 86_400.0
    warm_up: float = 0.0
    match_seconds: float = 600.0
    spread: float = 300.0
    begins_with: float = 0.0
    left: float = 0.8
    half_life_days: float = 14.0
    sweep_every: float = 2.0
    cools_for: Callable[[float, int], float] | None = None


@dataclass(slots=True)
class Played:
    """What came of it.

    honest       seats of honest players in matches; with_leaver: of these, in a match with a leaver
    left_on      of these, in a match that was left
    waits        of each honest search that found a match, seconds
    leaver_seats seats of leavers in matches; among_leavers: of these, in a match with another
    """

    honest: int = 0
    with_leaver: int = 0
    left_on: int = 0
    leaver_seats: int = 0
    among_leavers: int = 0
    waits: list[float] = field(default_factory=list)

    @property
    def share_with_leaver(self) -> float:
        """Of the matches of honest players."""
        return self.with_leaver / self.honest if self.honest else 0.0

    @property
    def share_among_leavers(self) -> float:
        """Of the matches of leavers."""
        return self.among_leavers / self.leaver_seats if self.leaver_seats else 0.0

    @property
    def mean_wait(self) -> float:
        """Seconds that honest players wait."""
        return float(np.mean(self.waits)) if self.waits else 0.0


def play_league(plan: Plan, league: League, seed: int) -> Played:
    """Play one against one from the start to the end. The same seed has the same players search at the same times."""
    hall = _Hall(league, seed)
    played, step = Played(), league.sweep_every
    for number in range(1, int((league.warm_up + league.seconds) / step) + 1):
        now = number * step
        hall.free_until(now)
        hall.let_in(now)
        if len(hall.waiting) > 1:
            found = find_matches(hall.tickets(now), plan)
            hall.begin(found.ticket.reshape(-1, 2), now, played if now > league.warm_up else None)
    return played


class _Hall:
    """Everybody, by number, and what each is at."""

    def __init__(self, league: League, seed: int) -> None:
        self._league = league
        self._comes, self._acts = np.random.default_rng([seed, 1]), np.random.default_rng([seed, 2])
        n = league.players
        self._rating: Floats = 1500 + league.spread * self._comes.standard_normal(n)
        self._leaves: Bools = np.arange(n) < round(league.leavers * n)
        self._points: Floats = np.where(self._leaves, league.begins_with, 0.0)
        self._as_of: Floats = np.zeros(n)
        self._offences: Ints = np.where(self._leaves & (league.begins_with > 0), 2, 0)
        self._cools_until: Floats = np.zeros(n)
        self._is_free: Bools = np.ones(n, dtype=np.bool_)
        self._since: Floats = np.zeros(n)
        self._matches: list[tuple[float, int, int, bool]] = []  # end, player, whether it leaves
        self.waiting: list[int] = []

    def free_until(self, now: float) -> None:
        """Let those go whose matches are over, and charge who has left one."""
        while self._matches and self._matches[0][0] <= now:
            at, player, _other, has_left = heapq.heappop(self._matches)
            self._is_free[player] = True
            if has_left and self._league.left:
                self._points[player] = self._left(player, at) + self._league.left
                self._as_of[player] = at
                self._offences[player] += 1
                if self._league.cools_for is not None:
                    length = self._league.cools_for(
                        float(self._points[player]), int(self._offences[player])
                    )
                    self._cools_until[player] = max(self._cools_until[player], at + length)

    def let_in(self, now: float) -> None:
        """Let who comes begin to search."""
        step = self._league.sweep_every
        for _one in range(self._comes.poisson(self._league.arrivals * step)):
            player = int(self._comes.integers(self._league.players))
            if self._is_free[player] and self._cools_until[player] <= now:
                self._is_free[player] = False
                self._since[player] = now - step * self._comes.random()
                self.waiting.append(player)

    def tickets(self, now: float) -> Tickets:
        """Who waits."""
        who = np.array(self.waiting, dtype=np.int64)
        number, nothing = np.arange(len(who)), np.full(len(who), np.nan)
        rating = self._rating[who]
        members = Members(
            ticket=number,
            player=who,
            rating=rating,
            deviation=nothing,
            roles=np.zeros(len(who), dtype=np.int64),
        )
        halves = (now - self._as_of[who]) / _DAY / self._league.half_life_days
        return Tickets(
            id=number,
            player=who,
            rating=rating,
            deviation=nothing,
            waited=now - self._since[who],
            traits={"conduct": self._points[who] * 0.5**halves},
            members=members,
        )

    def begin(self, pairs: Ints, now: float, played: Played | None) -> None:
        """Begin the matches of these, by their places among those who wait."""
        who = np.array(self.waiting, dtype=np.int64)
        for one, other in who[pairs].tolist():
            has_left = [
                bool(self._leaves[it]) and self._acts.random() < self._league.leaves
                for it in (one, other)
            ]
            end = now + self._league.match_seconds
            heapq.heappush(self._matches, (end, one, other, has_left[0]))
            heapq.heappush(self._matches, (end, other, one, has_left[1]))
            if played is not None:
                self._count(one, other, any(has_left), now, played)
        gone = set(who[pairs.reshape(-1)].tolist())
        self.waiting = [it for it in self.waiting if it not in gone]

    def _count(self, one: int, other: int, is_left: bool, now: float, played: Played) -> None:
        for own, opponent in ((one, other), (other, one)):
            if self._leaves[own]:
                played.leaver_seats += 1
                played.among_leavers += bool(self._leaves[opponent])
            else:
                played.honest += 1
                played.with_leaver += bool(self._leaves[opponent])
                played.left_on += is_left
                played.waits.append(now - float(self._since[own]))

    def _left(self, player: int, now: float) -> float:
        halves = (now - self._as_of[player]) / _DAY / self._league.half_life_days
        return float(self._points[player] * 0.5**halves)
