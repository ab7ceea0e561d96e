"""Tastes by matrix factorisation: what authors have in common in whom they like, found from all words together.

Directed: each player has one vector as an author and one as a subject, the leading factors of the matrix of words
without the leanings of single authors and subjects, shrunk by what luck alone would give; and as liking is often
mutual, likewise factors of the words of both directions together. To them come what tags tell (those that others gave
to the subject, and those that the author gives to whom it likes), which says something of players with few words
already, and the steps of the graph, which are all there is where nothing is known yet. What each is worth is found on
words from which the factors were not made.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds

from matchmaking.pairing.taste.graph import Steps, steps_of_pairs
from matchmaking.pairing.taste.words import TAGS, Words
from ratings.systems.arrays import Floats, Ints

__all__ = ["Learned", "learn", "scores_of"]

_FACTORS = 8
_FOLDS = 3
# Words of others that a mean, and a mean of tags, count as having seen before any: they begin at nothing.
_DOUBT, _TAG_DOUBT = 4.0, 3.0
# How firmly weights are held to nothing, in words.
_HOLD = 10.0
_TURNS = 12
_SEED = 20_260_101
_STEPS = 3


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Learned:
    """A model of n players.

    author, subject  float64 (n, f): that an author likes a subject is the likelier the larger their product
    steps            float64 (3): what the graph's `alike`, `passed_on` and `back` add to it
    """

    author: Floats
    subject: Floats
    steps: Floats

    def leaning(self, one: Ints, other: Ints, steps: Steps) -> Floats:
        """How much the author `one` leans to the subject `other`, in natural logarithms of odds; 0: neither way."""
        total = np.zeros(len(one))
        for factor in range(self.author.shape[1]):
            total += self.author[one, factor] * self.subject[other, factor]
        return total + _of_steps(steps) @ self.steps


def scores_of(leaning: Floats) -> Floats:
    """-1..1: a leaning as the graph's scores are."""
    found: Floats = np.tanh(0.5 * np.clip(leaning, -20.0, 20.0))
    return found


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Made:
    """What is made of words before it is known what each part is worth; rows are players."""

    wants: Floats  # (n, f) of authors, by directed factors
    offers: Floats  # (n, f) of subjects
    kin: tuple[Floats, Floats]  # (n, f) twice, by factors of both directions together
    regard: Floats  # (n)
    given: Floats  # (n, TAGS) by authors, to whom they like more than to others
    got: Floats  # (n, TAGS) by subjects

    @classmethod
    def of(cls, words: Words) -> "_Made":
        n = words.players
        by, of = (np.bincount(ends, minlength=n) for ends in (words.author, words.subject))
        rest = words.sign - words.sign.mean() if len(words) else words.sign
        regard = np.bincount(words.subject, rest, minlength=n) / (of + _DOUBT)
        rest = rest - regard[words.subject]
        mood = np.bincount(words.author, rest, minlength=n) / (by + _DOUBT)
        rest = rest - mood[words.author]
        matrix = sparse.csr_array((rest, (words.author, words.subject)), shape=(n, n))
        given, got = np.zeros((n, TAGS)), np.zeros((n, TAGS))
        np.add.at(given, words.author, words.tagged * words.sign[:, np.newaxis])
        np.add.at(got, words.subject, words.tagged)
        wants, offers = _leading(matrix, by, of)
        return cls(
            wants=wants,
            offers=offers,
            kin=_leading(sparse.csr_array(matrix + matrix.T), by + of, by + of),
            regard=regard,
            given=given / (by + _TAG_DOUBT)[:, np.newaxis],
            got=got / (of + _TAG_DOUBT)[:, np.newaxis],
        )

    def features(self, one: Ints, other: Ints, steps: Steps) -> Floats:
        """(p, 3 + steps + TAGS + TAGS²) of these pairs."""
        crossed = self.given[one][:, :, np.newaxis] * self.got[other][:, np.newaxis, :]
        return np.column_stack(
            (
                (self.wants[one] * self.offers[other]).sum(axis=1),
                (self.kin[0][one] * self.kin[1][other]).sum(axis=1),
                self.regard[other],
                _of_steps(steps),
                self.got[other],
                crossed.reshape(len(one), TAGS * TAGS),
            )
        )

    def weighted(self, worth: Floats) -> Learned:
        """The model in which each part counts as much as `worth` says."""
        directed, mutual, regard = worth[:3]
        tags = worth[3 + _STEPS : 3 + _STEPS + TAGS]
        crossed = worth[3 + _STEPS + TAGS :].reshape(TAGS, TAGS)
        ones = np.ones(len(self.regard))
        return Learned(
            author=np.column_stack(
                (directed * self.wants, mutual * self.kin[0], self.given @ crossed, ones)
            ),
            subject=np.column_stack(
                (self.offers, self.kin[1], self.got, regard * self.regard + self.got @ tags)
            ),
            steps=worth[3 : 3 + _STEPS],
        )


def learn(words: Words) -> Learned:
    """Find what explains the words best; the same words always come to the same on one machine."""
    fold = np.random.default_rng(_SEED).permutation(len(words)) % _FOLDS
    parts, liked = [], []
    for number in range(_FOLDS):
        asked = fold == number
        one, other = words.author[asked], words.subject[asked]
        kept = words.chosen(~asked)
        parts.append(_Made.of(kept).features(one, other, steps_of_pairs(kept, one, other)))
        liked.append(words.liked[asked])
    worth = _worth_of(np.concatenate(parts), np.concatenate(liked).astype(np.float64))
    return _Made.of(words).weighted(worth)


def _leading(matrix: sparse.csr_array, by: Ints, of: Ints) -> tuple[Floats, Floats]:
    """Vectors of rows and of columns whose products come nearest to the matrix, but for what luck would give.

    Rows and columns of many words say no more than others for it: each is divided by the root of its number.
    """
    n = matrix.shape[0]
    nothing = np.zeros((n, _FACTORS))
    if n <= _FACTORS + 1 or not matrix.nnz:
        return nothing, nothing
    left, right = 1 / np.sqrt(by + _DOUBT), 1 / np.sqrt(of + _DOUBT)
    even = sparse.csr_array(matrix * left[:, np.newaxis] * right[np.newaxis, :])
    start = np.random.default_rng(_SEED).normal(size=n)
    rows, size, columns = svds(even, k=_FACTORS, v0=start)
    # The largest that a matrix of noise with entries as large would have.
    edge = 2 * np.sqrt((even.power(2)).sum() / n)
    kept = np.sqrt(np.maximum(size**2 - edge**2, 0.0))
    return rows * kept * left[:, np.newaxis] * n, columns.T * right[:, np.newaxis]


def _worth_of(features: Floats, liked: Floats) -> Floats:
    """Weights by which the features tell best what was liked: logistic regression by Newton's steps, with a hold."""
    size = np.sqrt((features**2).mean(axis=0))
    size[size < 1e-9] = np.inf  # says nothing
    scaled = np.column_stack((features / size, np.ones(len(liked))))
    hold = np.full(scaled.shape[1], _HOLD)
    hold[-1] = 1e-3
    worth = np.zeros(scaled.shape[1])
    for _ in range(_TURNS):
        chance = 1 / (1 + np.exp(-np.clip(scaled @ worth, -30, 30)))
        slope = scaled.T @ (chance - liked) + hold * worth
        curve = (scaled * (chance * (1 - chance))[:, np.newaxis]).T @ scaled + np.diag(hold)
        worth = worth - np.linalg.solve(curve, slope)
    found: Floats = worth[:-1] / size
    return found


def _of_steps(steps: Steps) -> Floats:
    return np.column_stack((steps.alike, steps.passed_on, steps.back))
