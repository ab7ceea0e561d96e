"""Tastes by the graph and learned: golden values, what is used when, and that it stays within its bounds."""

import numpy as np
import pytest

from matchmaking.pairing.taste.factors import learn, scores_of
from matchmaking.pairing.taste.gate import LEAST_GAIN, auc, gain_of, judge
from matchmaking.pairing.taste.graph import graph_scores, steps_between, steps_of_pairs
from matchmaking.pairing.taste.packing import Packed, pack, unpack
from matchmaking.pairing.taste.words import Words
from matchmaking.preview.simulation.tastes import draw_words
from tests.forms import often

A, B, C, X = range(4)


def score(*said: tuple[int, int, bool]) -> float:
    """What the graph says of A with X."""
    author, subject, liked = (np.array(column) for column in zip(*said, strict=True))
    words = Words(players=4, author=author, subject=subject, liked=liked.astype(bool))
    return float(graph_scores(steps_of_pairs(words, np.array([A]), np.array([X])))[0])


def test_the_six_ways_of_the_rule() -> None:
    """A likes B and dislikes C; each further word moves the chance with X as the rule says."""
    likes_b, dislikes_c = (A, B, True), (A, C, False)
    for up in ((X, B, True), (B, X, True), (X, C, False)):
        assert score(likes_b, dislikes_c, up) == pytest.approx(1 / 6)
    for down in ((X, C, True), (C, X, True), (X, B, False)):
        assert score(likes_b, dislikes_c, down) == pytest.approx(-1 / 6)
    # Whom somebody dislikes says nothing of that one for others.
    for nothing in ((B, X, False), (C, X, False), (X, A, True)):
        assert score(likes_b, dislikes_c, nothing) == 0


def test_an_own_word_stands_above_all_ways() -> None:
    ways = [(A, B, True), (X, B, True), (B, X, True)]
    assert 0 < score(*ways) < 1
    assert score(*ways, (A, X, False)) == -1
    assert score(*ways, (A, X, True)) == 1


def test_all_pairs_are_those_of_single_pairs() -> None:
    words = draw_words("clusters", players=40, words=300, seed=3)
    some = np.array([3, 7, 8, 20, 21, 39])
    one, other, steps = steps_between(words, some)
    every = [(a, b) for a in range(len(some)) for b in range(len(some)) if a != b]
    ones, others = (np.array(ends) for ends in zip(*every, strict=True))
    alone = graph_scores(steps_of_pairs(words, some[ones], some[others]))
    told = dict(
        zip(zip(one.tolist(), other.tolist(), strict=True), graph_scores(steps), strict=True)
    )
    assert len(told) == len(one)
    for pair, value in zip(every, alone, strict=True):
        assert told.get(pair, 0.0) == pytest.approx(value)


def test_scores_are_bounded_whatever_was_said() -> None:
    words = draw_words("noise", players=12, words=130, seed=1)
    one, other = (np.array(ends) for ends in np.nonzero(~np.eye(12, dtype=bool)))
    steps = steps_of_pairs(words, one, other)
    for found in (graph_scores(steps), scores_of(learn(words).leaning(one, other, steps))):
        assert np.abs(found).max() <= 1
    assert np.abs(scores_of(np.array([-1e300, 1e300]))).max() <= 1


def test_words_must_fit_together() -> None:
    two = np.array([0, 1])
    with pytest.raises(ValueError, match="equally long"):
        Words(players=3, author=two, subject=np.array([1]), liked=np.array([True, False]))
    with pytest.raises(ValueError, match="from 0 to 1"):
        Words(players=2, author=two, subject=np.array([1, 2]), liked=np.array([True, False]))
    with pytest.raises(ValueError, match="two players"):
        Words(players=2, author=two, subject=two, liked=np.array([True, False]))


def test_the_area_and_its_error_are_those_of_the_books() -> None:
    liked = np.array([True, True, False, False, False])
    assert auc(np.array([3.0, 1.0, 2.0, 0.0, 1.0]), liked) == pytest.approx((3 + 1.5) / 6)
    random = np.random.default_rng(5)
    liked = random.random(400) < 0.4
    good, bad = liked + random.normal(0, 1, 400), random.normal(0, 1, 400)
    gain, error = gain_of(good, bad, liked)
    assert gain == pytest.approx(auc(good, liked) - auc(bad, liked))
    drawn = []
    for _ in range(300):
        rows = random.integers(0, 400, 400)
        drawn.append(auc(good[rows], liked[rows]) - auc(bad[rows], liked[rows]))
    assert error == pytest.approx(np.std(drawn), rel=0.2)


@pytest.mark.parametrize("kind", ["clusters", "circle", "asymmetric", "tags"])
def test_hidden_tastes_are_learned_better_than_the_graph_tells_them(kind: str) -> None:
    judged = judge(draw_words(kind, players=300, words=20_000, seed=2))
    assert judged.graph is not None
    assert judged.learned is not None
    assert judged.is_better
    assert judged.learned - judged.graph > LEAST_GAIN
    assert judged.held_out == 20_000


def test_luck_in_small_leagues_is_no_reason() -> None:
    leagues = [
        draw_words("noise", players=30, words=200, seed=seed) for seed in range(often(20, 60))
    ]
    assert [one for one in leagues if judge(one).is_better] == []


def test_too_few_words_are_not_judged() -> None:
    assert judge(draw_words("clusters", players=30, words=100, seed=1)).learned is None
    words = draw_words("clusters", players=40, words=400, seed=1)
    assert judge(words.chosen(words.liked)).graph is None


def test_learning_twice_comes_to_the_same_and_packing_loses_little() -> None:
    words = draw_words("asymmetric", players=60, words=1500, seed=4)
    one, other = np.array([1, 2, 3]), np.array([4, 5, 6])
    steps = steps_of_pairs(words, one, other)
    first, second = learn(words), learn(words)
    assert (first.leaning(one, other, steps) == second.leaning(one, other, steps)).all()
    ids = np.arange(60) * 3 + 100
    again = unpack(pack(Packed(players=ids, learned=first)))
    assert again.learned.leaning(one, other, steps) == pytest.approx(
        first.leaning(one, other, steps), abs=1e-4
    )
    assert again.rows(np.array([100, 103, 104, 10**6])).tolist() == [0, 1, -1, -1]
