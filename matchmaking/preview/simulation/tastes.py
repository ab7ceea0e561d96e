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
from matchmaking.pairing.taste.graph import Steps, graph_scores, steps_between
from matchmaking.pairing.taste.words import TAGS, Words
from matchmaking.pairing.tickets import Tickets, Ties
from ratings.systems.arrays import Bools, Floats, Ints

__all__ = ["KINDS", "WAYS", "LeagueFigures", "draw_words", "play_league"]

WAYS = ("none", "graph", "learned")
_SEARCHING = 60
_SAYS = 0.7  # of ten players seven answer
_HAS_TAG = 0.3  # of what a player could be said to be
_TAGGED = 0.35  # and give a tag that fits
_LEARNED_EVERY = 4000  # words
_FIRST = 10  # matches of a newcomer
_STEPS = ("direct", "back", "alike", "passed_on", "paths")

# Odds, as logarithms, that each author enjoys each subject; (players, players).
Tastes = Callable[[np.random.Generator, int, Bools], Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueFigures:
    """What came of a league.

    liked      share of words that were yes, of the last third
    newcomers  the same of the first matches of those who came later
    gap        mean rating points between two who met
    learned    share of the rounds of the last third in which what was learned was heeded
    judgement  how well the words of the whole league foretell each other; None: of a league that learns nothing
    """

    liked: float
    newcomers: float
    gap: float
    learned: float
    judgement: Judgement | None


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
    """A league that goes on: what was said last of each pair, and how it was with each match.

    said   where the word of each ordered pair stands in the columns, of which the first `len(said)` are filled
    """

    odds: Floats
    tags: Bools
    rating: Floats
    author: Ints
    subject: Ints
    liked: Bools
    tagged: Floats
    said: dict[tuple[int, int], int] = field(default_factory=dict)
    enjoyed: list[bool] = field(default_factory=list)
    first: list[bool] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    model: Learned | None = None
    heeds_learned: list[bool] = field(default_factory=list)

    @classmethod
    def of(cls, odds: Floats, tags: Bools, rating: Floats, words: int) -> "_League":
        room = words + 2 * _SEARCHING
        nobody, unsaid = np.zeros((2, room), dtype=np.int64), np.zeros(room, dtype=np.bool_)
        return cls(odds, tags, rating, nobody[0], nobody[1], unsaid, np.zeros((room, TAGS)))

    def say(self, author: int, subject: int, enjoys: bool, seen: Bools) -> None:
        at = self.said.setdefault((author, subject), len(self.said))
        self.author[at], self.subject[at] = author, subject
        self.liked[at], self.tagged[at] = enjoys, seen

    def words(self) -> Words:
        there = np.arange(len(self.said))
        return Words(
            players=len(self.rating),
            author=self.author[there],
            subject=self.subject[there],
            liked=self.liked[there],
            tags=self.tagged[there],
        )


def draw_words(kind: str, *, players: int, words: int, seed: int) -> Words:
    """So many words of pairs drawn by lot, one of each pair at most."""
    random = np.random.default_rng(seed)
    author, subject = random.integers(0, players, (2, words * 3))
    keys = np.unique((author * players + subject)[author != subject])
    author, subject = np.divmod(random.permutation(keys)[:words], players)
    tags = random.random((players, TAGS)) < _HAS_TAG
    odds = KINDS[kind](random, players, tags)[author, subject]
    return Words(
        players=players,
        author=author,
        subject=subject,
        liked=random.random(len(author)) < 1 / (1 + np.exp(-odds)),
        tags=(tags[subject] & (random.random((len(author), TAGS)) < _TAGGED)).astype(np.float64),
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
    tags = random.random((players, TAGS)) < _HAS_TAG
    odds = KINDS[kind](random, players, tags)
    league = _League.of(odds, tags, random.normal(1500, 200, players), words)
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
        league.heeds_learned.append(league.model is not None)
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
                    league.say(author, subject, enjoys, seen)
                    spoken += 1
        tell(spoken)
    return LeagueFigures(
        liked=_of_last_third(league.enjoyed),
        newcomers=float(np.mean(league.first)),
        gap=float(np.mean(league.gaps)),
        learned=_of_last_third(league.heeds_learned),
        judgement=judge(league.words()) if way == "learned" else None,
    )


def _of_last_third(of: list[bool]) -> float:
    return float(np.mean(of[-len(of) // 3 :]))


def _pairs(league: _League, heard: Words, present: Ints, plan: Plan) -> list[tuple[int, int]]:
    n = len(present)
    ties = {}
    if plan.has_feedback and len(heard):
        one, other, steps = steps_between(heard, present)
        both = np.zeros((n, n))
        if league.model is not None:
            of, to = (ends.astype(np.int64) for ends in np.nonzero(~np.eye(n, dtype=np.bool_)))
            nothing = Steps(**dict.fromkeys(_STEPS, np.zeros(len(of))))
            both[of, to] = scores_of(league.model.leaning(present[of], present[to], nothing))
            learned = scores_of(league.model.leaning(present[one], present[other], steps))
            both[one, other] = np.where(steps.direct != 0, steps.direct, learned)
        else:
            both[one, other] = graph_scores(steps)
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
