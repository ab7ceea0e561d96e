"""Feedback in sweeps: who enjoys it meets first, nobody is kept from anybody, and only where it is wanted."""

from typing import Any

import numpy as np
import pytest

from foundation import clock
from foundation.timekeeping import deadlines
from matchmaking.feedback import read
from matchmaking.feedback.learn import learn_due, read_words
from matchmaking.models import Feedback, Offer, TasteModel
from matchmaking.pairing.conditions.taste import Taste
from matchmaking.pairing.plan import conditions_of
from matchmaking.pairing.taste.gate import Judgement
from matchmaking.sweep.pairing_context import PairingContext
from matchmaking.sweep.read import read_waiting
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def say(hall: Hall, *words: tuple[int, int, bool]) -> None:
    people = hall.players
    Feedback.objects.bulk_create(
        Feedback(
            game_id=people[a].game_id,
            author=people[a],
            subject=people[b],
            enjoyed=liked,
            at=hall.now,
        )
        for a, b, liked in words
    )


def distances(hall: Hall) -> dict[tuple[int, int], float]:
    """How far the players who wait are apart by the condition, by number; {} where it is not asked."""
    with hall.at_now():
        context = PairingContext.of(hall.queue)
        tickets = read_waiting(context, deadlines())
    asked = [one for one in conditions_of(context.plan) if isinstance(one, Taste)]
    if not asked or asked[0].is_idle(tickets):
        return {}
    numbers = {player.pk: number for number, player in enumerate(hall.players)}
    one, other = np.triu_indices(len(tickets), k=1)
    far = asked[0].distance(tickets, one, other)
    back = asked[0].distance(tickets, other, one)
    assert (far == back).all()
    ends = [[numbers[pk] for pk in tickets.player[side].tolist()] for side in (one, other)]
    keys = [(min(pair), max(pair)) for pair in zip(*ends, strict=True)]
    return dict(zip(keys, far.tolist(), strict=True))


def settings_of(hall: Hall, **taste: Any) -> None:
    hall.queue.settings = {"taste": taste}
    hall.queue.save()


def test_it_is_not_asked_without_feedback_nor_where_it_is_off() -> None:
    hall = make_hall(4)
    hall.join(0, 1)
    assert distances(hall) == {}
    kinds = [type(one) for one in conditions_of(PairingContext.of(hall.queue).plan)]
    assert Taste not in kinds
    say(hall, (0, 1, True))
    assert distances(hall) == {(0, 1): pytest.approx(0.25)}
    settings_of(hall, use="off")
    assert distances(hall) == {}
    settings_of(hall, seconds=0)
    assert distances(hall) == {}


def test_what_was_skipped_or_said_elsewhere_is_nothing() -> None:
    hall, elsewhere = make_hall(3), make_hall(3)
    hall.join(0, 1)
    say(elsewhere, (0, 1, True))
    Feedback.objects.create(
        game_id=hall.players[0].game_id, author=hall.players[0], subject=hall.players[1]
    )
    assert distances(hall) == {}


def test_likes_dislikes_and_two_steps() -> None:
    hall = make_hall(6)
    hall.join(0, 1, 2, 3)
    # 0 and 2 both like 4; 3 is liked by 4; 1 is disliked by 0 and likes 0.
    say(hall, (0, 4, True), (2, 4, True), (4, 3, True), (0, 1, False), (1, 0, True))
    found = distances(hall)
    assert found[0, 1] == pytest.approx(0.5)  # one says yes, the other no
    assert found[0, 2] == pytest.approx(0.5 - 0.5 * (1 / 6))  # alike in both directions
    assert found[0, 3] == pytest.approx(0.5 - 0.5 * (1 / 12))  # one direction alone
    assert found[1, 3] == pytest.approx(0.5)


def test_who_enjoys_it_is_offered_to_each_other_and_the_record_says_so() -> None:
    hall = make_hall(4)
    say(hall, (0, 2, True), (2, 0, True), (0, 1, False), (1, 3, True))
    hall.join(0, 1, 2, 3)
    hall.sweep()
    assert hall.pairs() == {frozenset({0, 2}), frozenset({1, 3})}
    told = [
        one
        for offer in Offer.objects.all()
        for one in offer.record["conditions"]
        if one["name"] == "taste"
    ]
    assert sorted(one["distance"] for one in told) == [0.0, 0.25]
    assert {one["use"] for one in told} == {"prefer"}


def test_who_dislikes_each_other_meets_all_the_same() -> None:
    hall = make_hall(2)
    say(hall, (0, 1, False), (1, 0, False))
    hall.join(0, 1)
    hall.sweep()
    assert hall.pairs() == {frozenset({0, 1})}


BETTER = Judgement(held_out=9, graph=0.5, learned=0.6, gain_at_least=0.09)


def test_what_was_learned_is_used_where_it_is_better_and_own_words_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = make_hall(30)
    monkeypatch.setattr("matchmaking.feedback.learn.judge", lambda words: BETTER)
    random = np.random.default_rng(1)
    pairs = [(a, b) for a in range(30) for b in range(30) if a != b and {a, b} != {0, 3}]
    chosen = [pairs[k] for k in random.permutation(len(pairs))[:500].tolist()]
    words = {pair: pair[0] % 2 == pair[1] % 2 for pair in chosen} | {(0, 2): False}
    say(hall, *((a, b, liked) for (a, b), liked in words.items()))
    with hall.at_now():
        assert learn_due() == [hall.players[0].game_id]
        assert learn_due() == [hall.players[0].game_id]  # said in the same moment
    hall.wait(60)
    with hall.at_now():
        learn_due()
        assert learn_due() == []
    model = TasteModel.objects.get()
    assert (model.is_used, model.held_out, model.feedback) == (True, 9, len(words))
    hall.join(0, 1, 2, 4, 3)
    found = distances(hall)
    assert found[0, 3] > 0.55  # learned: of the other kind
    assert found[0, 2] > 0.25  # of the own kind, but for the own word
    alone = read_words(hall.players[0].game_id)
    assert len(alone.words) == len(words)


def test_without_words_nothing_is_kept() -> None:
    hall = make_hall(3)
    say(hall, (0, 1, True))
    with clock.at(hall.now):
        learn_due()
    model = TasteModel.objects.get()
    assert (model.is_used, model.auc_graph, bytes(model.vectors)) == (False, None, b"")
    Feedback.objects.all().delete()
    assert learn_due() == []
    assert not TasteModel.objects.exists()


def test_a_model_put_out_of_use_is_asked_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    hall = make_hall(3)
    hall.join(0, 1)
    say(hall, (2, 1, True))
    monkeypatch.setattr("matchmaking.feedback.learn.judge", lambda words: BETTER)
    with hall.at_now():
        learn_due()
    game = hall.players[0].game_id
    assert read._model_of(game) is not None
    assert distances(hall) != {}
    TasteModel.objects.update(is_used=False)
    assert read._model_of(game) is None
