"""Whether what was learned predicts better than the graph: on words that neither has seen."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from matchmaking.pairing.taste.factors import learn
from matchmaking.pairing.taste.graph import graph_scores, steps_of_pairs
from matchmaking.pairing.taste.words import Words
from ratings.systems.arrays import Bools, Floats

__all__ = ["LEAST_GAIN", "Judgement", "auc", "gain_of", "judge"]

LEAST_GAIN = 0.03
_FOLDS = 3
_FEWEST = 150  # words, and a tenth of them of the rarer kind
_SURE = 1.96  # standard errors: two-sided, 95 %
_SEED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How well the two predict words that were held out.

    held_out       how many words that were
    graph, learned areas under the curve: 0.5 is a guess, 1 is always right; None: too few words to say
    gain_at_least  lower end of the 95% range of the difference
    """

    held_out: int = 0
    graph: float | None = None
    learned: float | None = None
    gain_at_least: float | None = None

    @property
    def is_better(self) -> bool:
        """Whether what was learned is to be used: a bound, as luck alone often finds a difference in few words."""
        return self.gain_at_least is not None and self.gain_at_least > LEAST_GAIN


def judge(words: Words) -> Judgement:
    """Hold out each third of the words in turn, learn from the rest, and predict it."""
    rarer = min(int(words.liked.sum()), int((~words.liked).sum()))
    if len(words) < _FEWEST or rarer < _FEWEST // 10:
        return Judgement()
    fold = np.random.default_rng(_SEED).permutation(len(words)) % _FOLDS
    graph, learned = np.zeros(len(words)), np.zeros(len(words))
    for number in range(_FOLDS):
        kept, asked = words.chosen(fold != number), fold == number
        one, other = words.author[asked], words.subject[asked]
        steps = steps_of_pairs(kept, one, other)
        graph[asked] = graph_scores(steps)
        learned[asked] = learn(kept).leaning(one, other, steps)
    # Scores of different folds are on scales of their own: compared within each, and then together.
    parts = [
        gain_of(learned[fold == k], graph[fold == k], words.liked[fold == k]) for k in range(_FOLDS)
    ]
    gain = float(np.mean([part[0] for part in parts]))
    error = math.sqrt(sum(part[1] ** 2 for part in parts)) / _FOLDS
    by_graph, by_learned = (
        float(np.mean([auc(score[fold == k], words.liked[fold == k]) for k in range(_FOLDS)]))
        for score in (graph, learned)
    )
    return Judgement(
        held_out=len(words),
        graph=by_graph,
        learned=by_learned,
        gain_at_least=gain - _SURE * error,
    )


def auc(score: Floats, liked: Bools) -> float:
    """The chance that one that was liked has a higher score than one that was not; a tie counts half."""
    yes, no = int(liked.sum()), int((~liked).sum())
    ranks = rankdata(score)
    return float((ranks[liked].sum() - yes * (yes + 1) / 2) / (yes * no))


def gain_of(score: Floats, than: Floats, liked: Bools) -> tuple[float, float]:
    """By how much the area of one score is larger than that of another on the same words, and the standard error.

    After DeLong, DeLong and Clarke-Pearson (1988), by ranks as Sun and Xu (2014).
    """
    yes, no = _placements(score, liked)
    other_yes, other_no = _placements(than, liked)
    difference = float(yes.mean() - other_yes.mean())
    spread = np.var(yes - other_yes, ddof=1) / len(yes) + np.var(no - other_no, ddof=1) / len(no)
    return difference, math.sqrt(float(spread))


def _placements(score: Floats, liked: Bools) -> tuple[Floats, Floats]:
    """Of each that was liked the share of those that were not below it; of each of these the share of those above."""
    yes, no = score[liked], score[~liked]
    ranks = rankdata(score)
    above = (ranks[liked] - rankdata(yes)) / len(no)
    below = 1 - (ranks[~liked] - rankdata(no)) / len(yes)
    return above, below
