"""Leagues whose players have hidden tastes: how often they enjoy whom they meet, by what is made of their feedback.

None of the tastes has the form of what is learned. In each round so many players search, and all are
paired at once: waits are the same whatever is heeded. One fifth of the players comes when half of all has been said.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from matchmaking.pairing.conditions.taste import TasteSection
from matchmaking.pairing.plan import Plan, Rules
from matchmaking.pairing.settings import Settings
from matchmaking.pairing.strategies.choose import find_matches
from matchmaking.pairing.taste.factors import Learned, learn, scores_of
from matchmaking.pairing.taste.gate import Judgement, judge
from matchmaking.pairing.taste.graph import graph_scores, steps_of_pairs
from matchmaking.pairing.taste.words import TAGS, Words
from matchmaking.pairing.tickets import Tickets, Ties
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["KINDS", "WAYS", "LeagueFigures", "play_league"]

WAYS = ("none", "graph", "learned")
_SEARCHING = 60
_SAYS = 0.7  # of ten players seven answer
_TAGGED = 0.35  # and give a tag that fits
_LEARNED_EVERY = 2500  # words
_FIRST = 10  # matches of a newcomer

# Odds, as logarithms, that each author enjoys each subject; (players, players).
Tastes = Callable[[np.random.Generator, int, Bools], Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueFigures:
    """What came of a league.

    liked      share of words that were yes, of the last third
    newcomers  the same of the first matches of those who came later
    gap        mean rating points between two who met
    judgement  how well the words of the whole league foretell each other
    """

    liked: float
    newcomers: float
    gap: float
    judgement: Judgement


def _clusters(random: np.random.Generator, players: int, tags: Bools) -> Floats:
    group = random.integers(0, 5, players)
    return np.where(group[:, np.newaxis] == group, 1.5, -0.7)


def _circle(random: np.random.Generator, players: int, tags: Bools) -> Floats:
    at = random.uniform(0, 2 * np.pi, players)
    apart = np.abs((at[:, np.newaxis] - at + np.pi) % (2 * np.pi) - np.pi)
    return np.where(apart < 0.8, 1.5, -0.6)


def _asymmetric(random: np.random.Generator, players: int, tags: Bools) -> Floats:
    has, wants = random.integers(0, 4, (2, players))
    regard = random.normal(0, 0.5, players)
    return np.where(wants[:, np.newaxis] == has, 1.5, -0.6) + regard


def _tags(random: np.random.Generator, players: int, tags: Bools) -> Floats:
    found: Floats = random.normal(0, 1, (players, TAGS)) @ tags.T.astype(np.float64)
    return found


KINDS: dict[str, Tastes] = {
    "clusters": _clusters,
    "circle": _circle,
    "asymmetric": _asymmetric,
    "tags": _tags,
    "noise": lambda random, players, tags: np.zeros((players, players)),
}


@dataclass(slots=True, eq=False)
class _League:
    """A league that goes on: what was said last of each pair, and how it was with each match."""

    odds: Floats
    tags: Bools
    rating: Floats
    said: dict[tuple[int, int], tuple[bool, Floats]] = field(default_factory=dict)
    enjoyed: list[bool] = field(default_factory=list)
    first: list[bool] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    model: Learned | None = None

    def words(self) -> Words:
        pairs = np.array(list(self.said), dtype=np.int64).reshape(-1, 2)
        return Words(
            players=len(self.rating),
            author=pairs[:, 0],
            subject=pairs[:, 1],
            liked=np.array([liked for liked, _ in self.said.values()], dtype=np.bool_),
            tags=np.array([tags for _, tags in self.said.values()]).reshape(-1, TAGS),
        )


def play_league(
    kind: str,
    way: str,
    *,
    players: int = 300,
    words: int = 20_000,
    worth: float = TasteSection().seconds,
    seed: int = 1,
    tell: Callable[[int], object] = lambda said: None,
) -> LeagueFigures:
    """Play until so many words were said; `tell` is called with how many there are."""
    random = np.random.default_rng(seed)
    tags = random.random((players, TAGS)) < 0.3
    odds = KINDS[kind](random, players, tags)
    league = _League(odds, tags, random.normal(1500, 200, players))
    plan = Plan(
        settings=Settings.build("filters", {"taste": {"seconds": worth}}),
        rules=Rules(gap_start=3000.0, gap_per_second=0.0),
        has_feedback=way != "none",
    )
    early, matches, learned_at, spoken = players * 4 // 5, np.zeros(players, dtype=int), 0, 0
    while spoken < words:
        there = players if spoken >= words // 2 else early
        present = np.sort(random.choice(there, min(_SEARCHING, there // 2 * 2), replace=False))
        heard = league.words()
        if way == "learned" and spoken - learned_at >= _LEARNED_EVERY:
            learned_at = spoken
            league.model = learn(heard) if judge(heard).is_better else None
        for one, other in _pairs(league, heard, present, plan):
            league.gaps.append(abs(float(league.rating[one] - league.rating[other])))
            for author, subject in ((one, other), (other, one)):
                enjoys = bool(random.random() < 1 / (1 + np.exp(-odds[author, subject])))
                if author >= early and matches[author] < _FIRST:
                    league.first.append(enjoys)
                matches[author] += 1
                league.enjoyed.append(enjoys)
                if random.random() < _SAYS:
                    seen = tags[subject] & (random.random(TAGS) < _TAGGED)
                    league.said[author, subject] = (enjoys, seen.astype(np.float64))
                    spoken += 1
        tell(spoken)
    return LeagueFigures(
        liked=float(np.mean(league.enjoyed[-len(league.enjoyed) // 3 :])),
        newcomers=float(np.mean(league.first)),
        gap=float(np.mean(league.gaps)),
        judgement=judge(league.words()),
    )


def _pairs(league: _League, heard: Words, present: Ints, plan: Plan) -> list[tuple[int, int]]:
    n = len(present)
    ties = {}
    if plan.has_feedback and len(heard):
        one, other = (ends.astype(np.int64) for ends in np.nonzero(~np.eye(n, dtype=np.bool_)))
        author, subject = present[one], present[other]
        steps = steps_of_pairs(heard, author, subject)
        score = graph_scores(steps)
        if league.model is not None:
            learned = scores_of(league.model.leaning(author, subject, steps))
            score = np.where(steps.direct != 0, score, learned)
        both = np.zeros((n, n))
        both[one, other] = score
        first, second = np.triu_indices(n, k=1)
        mean = 0.5 * (both + both.T)[first, second]
        ties = {"taste": Ties(one=first, other=second, value=mean)}
    tickets = Tickets(
        id=present,
        player=present,
        rating=league.rating[present],
        deviation=np.full(n, np.nan),
        waited=np.zeros(n),
        ties=ties,
    )
    found = find_matches(tickets, plan)
    rows = present[found.ticket].reshape(-1, 2)
    return [(int(one), int(other)) for one, other in rows]
