"""An evening in a queue where few play: how many matches a player gets, with and without alerts and rounds.

Who is told of a search, when and how often follows from the settings of the plan, by the rules of
`matchmaking.alerts.send`: a test lets both choose.
"""

from dataclasses import dataclass

import numpy as np

from matchmaking.pairing.nearness import Nearness, widths
from matchmaking.pairing.plan import Plan
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.tickets import Tickets
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["Evening", "EveningFigures", "play_evening", "whose_turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """Who comes, and what they do. Players come once (a Poisson stream), search, give up, and may come back.

    arrivals      players a second
    seconds       how long the evening is
    rating, spread  of the players, normally distributed
    patience      seconds after which a search is given up, on average (exponential)
    match_seconds how long a match is
    again         chance that somebody searches again after a match
    listens       seconds for which somebody who gave up, or has played, is at hand for an alert or a round
    alerted       share of those who want to be alerted; 0: there are no alerts
    near          how near somebody is to be of whom they are told
    answers       chance that somebody who is alerted comes, within a minute
    rounds_every  seconds between two rounds; 0: none
    joins         share of those at hand who join a round and come
    sweep_every   seconds between two sweeps
    """

    arrivals: float = 0.01
    seconds: float = 5 * 3600.0
    rating: float = 1500.0
    spread: float = 350.0
    patience: float = 300.0
    match_seconds: float = 900.0
    again: float = 0.5
    listens: float = 7200.0
    alerted: float = 0.0
    near: Nearness = Nearness.CLOSE
    answers: float = 0.4
    rounds_every: float = 0.0
    joins: float = 0.4
    sweep_every: float = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningFigures:
    """What came of it.

    players   who came
    matches   that were played
    per_player  matches of a player, on average
    nothing   share of the players without any
    gap       rating points between two who met, on average; nan without a match
    """

    players: int
    matches: int
    per_player: float
    nothing: float
    gap: float


class _Crowd:
    """Everybody of an evening; inf where something does not happen.

    begins, gives_up  of the search that is on, or comes next
    free_at           until when a match goes on
    told_at, told_of  when somebody was told last of a search, and others last of this one
    here_until        until when somebody who neither searches nor plays is at hand
    """

    def __init__(self, evening: Evening, random: np.random.Generator) -> None:
        n = int(random.poisson(evening.arrivals * evening.seconds))
        self.evening, self.random = evening, random
        self.begins: Floats = np.sort(random.uniform(0, evening.seconds, n))
        self.rating: Floats = random.normal(evening.rating, evening.spread, n)
        self.gives_up = self.begins + self._patience(n)
        self.free_at = np.full(n, np.inf)
        self.here_until = np.full(n, -np.inf)
        self.wants_alerts: Bools = random.random(n) < evening.alerted
        self.told_at = np.full(n, -np.inf)
        self.told_of = np.full(n, -np.inf)
        self.played = np.zeros(n, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.rating)

    def _patience(self, number: int) -> Floats:
        return self.evening.patience * self.random.standard_exponential(number)

    def search(self, who: Bools, at: Floats | float) -> None:
        """Let these search from then on."""
        begins = np.broadcast_to(np.asarray(at, dtype=np.float64), len(self))[who]
        self.begins[who] = begins
        self.gives_up[who] = begins + self._patience(int(who.sum()))
        self.here_until[who] = self.told_of[who] = -np.inf

    def rest(self, who: Bools, now: float) -> None:
        """Let these do nothing, but be at hand for a while."""
        self.begins[who] = self.gives_up[who] = np.inf
        self.here_until[who] = now + self.evening.listens

    def end_matches(self, now: float) -> None:
        """Whoever has played searches again, or rests."""
        over = self.free_at <= now
        self.free_at[over] = np.inf
        again = over & (self.random.random(len(self)) < self.evening.again)
        self.rest(over & ~again, now)
        self.search(again, now)

    def alert(self, plan: Plan, seeking: Bools, now: float) -> None:
        """Tell those at hand who want it, and whose turn it is, of searches that have waited for a while."""
        alerts = plan.settings.alerts
        again = alerts.again or np.inf
        due = seeking & (now - self.begins >= alerts.after) & (now - self.told_of >= again)
        self.told_of[due] = now
        ready = self.wants_alerts & (self.here_until > now)
        ready &= now - self.told_at >= 60 * alerts.pause
        told = whose_turn(
            np.flatnonzero(ready),
            self.told_at,
            self.rating,
            self.rating[due],
            width=widths(plan.rules)[self.evening.near],
            at_most=alerts.at_most * int(due.sum()),
        )
        self.told_at[told] = now
        come = np.zeros(len(self), dtype=np.bool_)
        come[told] = self.random.random(len(told)) < self.evening.answers
        self.search(come, now + self.random.uniform(10, 60, len(self)))

    def begin_round(self, now: float) -> None:
        """Whoever is at hand and joins begins to search."""
        come = (self.here_until > now) & (self.random.random(len(self)) < self.evening.joins)
        self.search(come, now)


def whose_turn(
    ready: Ints, told_at: Floats, rating: Floats, searching: Floats, *, width: float, at_most: int
) -> Ints:
    """Those of the players who are told of searches by players of these ratings.

    ready    players who may be told, by their numbers
    told_at  when each player was told last; -inf: never
    width    rating points that lie between the two at most
    at_most  so many are told: those first who were not told for longest
    """
    apart = np.abs(rating[ready, np.newaxis] - searching)
    near = ready[(apart <= width).any(axis=1)]
    return near[np.lexsort((near, told_at[near]))][:at_most]


def play_evening(plan: Plan, evening: Evening, *, seed: int) -> EveningFigures:
    """Simulate it, sweep by sweep, with the engine's own pairs. The same seed gives the same figures."""
    crowd = _Crowd(evening, np.random.default_rng(seed))
    gaps: list[float] = []
    next_round = evening.rounds_every or np.inf
    for number in range(1, int(evening.seconds / evening.sweep_every) + 1):
        now = number * evening.sweep_every
        crowd.end_matches(now)
        crowd.rest(crowd.gives_up <= now, now)
        if now >= next_round:
            crowd.begin_round(now)
            next_round += evening.rounds_every
        seeking = (crowd.begins <= now) & (crowd.gives_up > now)
        if evening.alerted:
            crowd.alert(plan, seeking, now)
        waiting = np.flatnonzero(seeking)
        waited = now - crowd.begins[waiting]
        if not _accept_each_other(crowd.rating[waiting], plan.rules.tolerances(waited)):
            continue
        tickets = Tickets(
            id=waiting,
            player=waiting,
            rating=crowd.rating[waiting],
            deviation=np.full(len(waiting), np.nan),
            waited=waited,
        )
        found = find_matches(tickets, plan)
        gaps += found.gap.tolist()
        chosen = waiting[found.ticket]
        crowd.played[chosen] += 1
        crowd.begins[chosen] = crowd.gives_up[chosen] = np.inf
        crowd.free_at[chosen] = now + evening.match_seconds
    players = len(crowd)
    return EveningFigures(
        players=players,
        matches=len(gaps),
        per_player=float(crowd.played.sum() / players) if players else 0.0,
        nothing=float((crowd.played == 0).mean()) if players else 0.0,
        gap=float(np.mean(gaps)) if gaps else float("nan"),
    )


def _accept_each_other(rating: Floats, tolerance: Floats) -> bool:
    """Whether any two accept each other's rating: else no match can come of a sweep, and it need not be asked."""
    apart = np.abs(rating[:, np.newaxis] - rating)
    np.fill_diagonal(apart, np.inf)
    return bool((apart <= np.minimum(tolerance[:, np.newaxis], tolerance)).any())
