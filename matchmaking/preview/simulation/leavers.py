"""A league in which some leave their matches: whom these meet, and what it costs everybody else.

Pure, and everything random comes from the seed. Searches come as a Poisson stream; each is by somebody who is free, and
who cools off does not come. A leaver leaves some of its matches, connections of all fail now and then, and so do
servers; who of them has left, and what that leads to, is handed in.
"""

import heapq
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.tickets import Members, Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Drop", "League", "Played", "play_league"]

_DAY = 86_400.0
_TOGETHER = 5.0  # seconds in which all drop whose server fails


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """A connection that is lost in a match: since when, and until when; inf: the player does not come back.

    is_told  whether the server says at the end that the player has left
    """

    player: int
    away_at: float
    back_at: float
    is_told: bool


def _all_told(drops: Sequence[Drop], end: float) -> Collection[int]:
    return {one.player for one in drops if one.is_told}


@dataclass(frozen=True, slots=True, kw_only=True)
class League:
    """Who plays, and by which rules.

    players         how many there are
    leavers         share of those who leave
    leaves          chance that a leaver leaves a match
    crashes         chance that the connection of any other player fails in a match
    away_seconds    for how long then, on average; these times are exponential
    failures        chance that the server of a match fails, so that all drop
    arrivals        searches a second
    seconds         of an evening
    evenings        how many are played; nobody searches between them
    apart_days      from the beginning of one to that of the next
    reforms         the first evening on which nobody leaves any more, from 0; None: that never comes
    match_seconds   how long a match takes
    spread          of the ratings
    begins_with     points of each leaver at the start
    left            points for leaving; 0: nothing follows from it
    half_life_days  of points
    cools_for       seconds of cooling off by points and offences; None: nobody cools off
    who_left        who of those who dropped has left, by when the match ended
    """

    players: int
    leavers: float = 0.05
    leaves: float = 0.5
    crashes: float = 0.0
    away_seconds: float = 60.0
    failures: float = 0.0
    arrivals: float = 0.1
    seconds: float = 86_400.0
    evenings: int = 1
    apart_days: float = 1.0
    reforms: int | None = None
    match_seconds: float = 600.0
    spread: float = 300.0
    begins_with: float = 0.0
    left: float = 0.8
    half_life_days: float = 14.0
    sweep_every: float = 2.0
    cools_for: Callable[[float, int], float] | None = None
    who_left: Callable[[Sequence[Drop], float], Collection[int]] = _all_told


@dataclass(slots=True)
class Played:
    """What came of an evening.

    honest       seats of honest players in matches; with_leaver: of these, in a match with a leaver
    waits        of each honest search that found a match, seconds
    leaver_seats seats of leavers in matches; among_leavers: of these, in a match with another
    crashes      drops of honest players; charged: of these, taken for leaving
    crashed      honest players who have dropped by its end, and were never charged; crashed_points: what they have then
    points       what leavers have at its end, on average
    """

    honest: int = 0
    with_leaver: int = 0
    leaver_seats: int = 0
    among_leavers: int = 0
    crashes: int = 0
    charged: int = 0
    crashed: int = 0
    crashed_points: float = 0.0
    points: float = 0.0
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


def play_league(plan: Plan, league: League, seed: int) -> list[Played]:
    """Play one against one, evening by evening. The same seed has the same players search at the same times."""
    hall, evenings, step = _Hall(league, seed), list[Played](), league.sweep_every
    for evening in range(league.evenings):
        begins = evening * league.apart_days * _DAY
        hall.begin_evening(begins, evening)
        for number in range(1, int(league.seconds / step) + 1):
            now = begins + number * step
            hall.free_until(now)
            hall.let_in(now)
            if len(hall.waiting) > 1:
                found = find_matches(hall.tickets(now), plan)
                hall.begin(found.ticket.reshape(-1, 2), now)
        evenings.append(hall.end_evening(begins + league.seconds))
    return evenings


class _Hall:
    """Everybody, by number, and what each is at."""

    def __init__(self, league: League, seed: int) -> None:
        self._league = league
        self._comes, self._acts, self._fails = (
            np.random.default_rng([seed, stream]) for stream in (1, 2, 3)
        )
        n = league.players
        self._rating: Floats = 1500 + league.spread * self._comes.standard_normal(n)
        self._is_leaver: Bools = np.arange(n) < round(league.leavers * n)
        self._leaves = league.leaves
        self._points: Floats = np.where(self._is_leaver, league.begins_with, 0.0)
        self._as_of: Floats = np.zeros(n)
        self._offences: list[list[float]] = [
            [0.0, 0.0] if leaves and league.begins_with else [] for leaves in self._is_leaver
        ]
        self._cools_until: Floats = np.zeros(n)
        self._is_free: Bools = np.ones(n, dtype=np.bool_)
        self._has_crashed, self._was_charged = np.zeros((2, n), dtype=np.bool_)
        self._since: Floats = np.zeros(n)
        self._matches: list[tuple[float, int, int, Sequence[Drop]]] = []  # end, players, who drops
        self.waiting: list[int] = []
        self._played = Played()

    def begin_evening(self, now: float, number: int) -> None:
        """Nobody waits from the evening before."""
        self._is_free[self.waiting] = True
        self.waiting, self._played = [], Played()
        self.free_until(now)
        if self._league.reforms is not None and number >= self._league.reforms:
            self._leaves = 0.0

    def end_evening(self, now: float) -> Played:
        """What came of it; matches still run."""
        played, points = self._played, self._points * self._left_at(now)
        leavers, crashed = self._is_leaver, self._has_crashed & ~self._was_charged
        played.points = float(points[leavers].mean()) if leavers.any() else 0.0
        played.crashed, played.crashed_points = int(crashed.sum()), float(points[crashed].sum())
        return played

    def free_until(self, now: float) -> None:
        """Let those go whose matches are over, and charge who has left one."""
        while self._matches and self._matches[0][0] <= now:
            at, one, other, drops = heapq.heappop(self._matches)
            self._is_free[[one, other]] = True
            left = self._league.who_left(drops, at) if drops else ()
            for player in {drop.player for drop in drops}:
                if not self._is_leaver[player]:
                    self._has_crashed[player] = True
                    self._played.crashes += 1
                    self._played.charged += player in left
                    self._was_charged[player] |= player in left
            for player in left if self._league.left else ():
                self._charge(player, at)

    def _charge(self, player: int, at: float) -> None:
        league = self._league
        self._points[player] = self._points[player] * self._left_at(at)[player] + league.left
        self._as_of[player] = at
        lately = at - league.half_life_days * _DAY
        self._offences[player] = [it for it in self._offences[player] if it > lately] + [at]
        if league.cools_for is not None:
            length = league.cools_for(float(self._points[player]), len(self._offences[player]))
            self._cools_until[player] = max(self._cools_until[player], at + length)

    def let_in(self, now: float) -> None:
        """Let who comes begin to search."""
        step = self._league.sweep_every
        for _one in range(self._comes.poisson(self._league.arrivals * step)):
            player, since = int(self._comes.integers(self._league.players)), self._comes.random()
            if self._is_free[player] and self._cools_until[player] <= now:
                self._is_free[player] = False
                self._since[player] = now - step * since
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
        return Tickets(
            id=number,
            player=who,
            rating=rating,
            deviation=nothing,
            waited=now - self._since[who],
            traits={"conduct": self._points[who] * self._left_at(now)[who]},
            members=members,
        )

    def begin(self, pairs: Ints, now: float) -> None:
        """Begin the matches of these, by their places among those who wait."""
        who = np.array(self.waiting, dtype=np.int64)
        for one, other in who[pairs].tolist():
            end = now + self._league.match_seconds
            heapq.heappush(self._matches, (end, one, other, self._drops((one, other), now)))
            self._count(one, other, now)
        gone = set(who[pairs.reshape(-1)].tolist())
        self.waiting = [it for it in self.waiting if it not in gone]

    def _drops(self, players: Sequence[int], now: float) -> list[Drop]:
        """Who will drop out of a match that begins now."""
        league, drops = self._league, list[Drop]()
        if self._fails.random() < league.failures:
            at = now + league.match_seconds * self._fails.random()
            return [
                Drop(
                    player=player,
                    away_at=at + _TOGETHER * self._fails.random(),
                    back_at=math.inf,
                    is_told=False,
                )
                for player in players
            ]
        for player in players:
            leaves = bool(self._is_leaver[player]) and self._acts.random() < self._leaves
            crashes = self._fails.random() < league.crashes
            if leaves or (crashes and not self._is_leaver[player]):
                random = self._acts if leaves else self._fails
                at = now + league.match_seconds * random.random()
                back = math.inf if leaves else at + random.exponential(league.away_seconds)
                drops.append(Drop(player=player, away_at=at, back_at=back, is_told=leaves))
        return drops

    def _count(self, one: int, other: int, now: float) -> None:
        played = self._played
        for own, opponent in ((one, other), (other, one)):
            if self._is_leaver[own]:
                played.leaver_seats += 1
                played.among_leavers += bool(self._is_leaver[opponent])
            else:
                played.honest += 1
                played.with_leaver += bool(self._is_leaver[opponent])
                played.waits.append(now - float(self._since[own]))

    def _left_at(self, now: float) -> Floats:
        """What is left of a point of each by now."""
        left: Floats = 0.5 ** ((now - self._as_of) / _DAY / self._league.half_life_days)
        return left
