"""Feedback: after a match together, one word of each on each, the newest counts, and it goes with the people."""

import pytest
from django.db import IntegrityError, transaction

from matchmaking.feedback.ask import questions_about
from matchmaking.feedback.give import feedback_by, give_feedback, likes_of, take_back
from matchmaking.models import Feedback
from matchmaking.refusals import NotPlayedTogetherError
from ratings.matches import report
from ratings.merging.merge import merge
from ratings.merging.unmerge import unmerge
from ratings.models import Match, Outcome, Player
from tests.matchmaking.hall import Hall, make_hall
from tests.matchmaking.offers.test_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def played(hall: Hall, one: int = 0, other: int = 1, outcome: Outcome = Outcome.LOST) -> Match:
    """Let two play a match, which the first says to have lost."""
    match = hall.put_into_match(one, against=other)
    with hall.at_now():
        report.report(match_id=match.pk, player_id=hall.players[one].pk, outcome=outcome)
        if outcome != Outcome.LOST:
            report.report(match_id=match.pk, player_id=hall.players[other].pk, outcome=outcome)
    return match


def said(hall: Hall, author: int = 0) -> list[tuple[int, bool | None, list[str]]]:
    pk = hall.players[author].pk
    rows = Feedback.objects.filter(author=pk).order_by("subject")
    return list(rows.values_list("subject", "enjoyed", "tags"))


def test_only_after_a_match_together_that_took_place() -> None:
    hall = make_hall(4)
    anna, bernd, carla, dora = hall.players
    hall.put_into_match(0, against=1)  # goes on
    played(hall, 2, 3, Outcome.NOT_PLAYED)
    for author, subject in ((anna, bernd), (anna, carla), (carla, dora), (anna, anna)):
        with pytest.raises(NotPlayedTogetherError):
            give_feedback(author=author, subject_id=subject.pk, enjoyed=True)
    with pytest.raises(NotPlayedTogetherError):
        give_feedback(author=anna, subject_id=10**9, enjoyed=True)
    assert not Feedback.objects.exists()


def test_who_has_reported_may_speak_before_the_match_is_decided() -> None:
    hall = make_hall()
    anna, bernd = hall.players[:2]
    match = hall.put_into_match(0, against=1)
    with hall.at_now():
        report.report(match_id=match.pk, player_id=anna.pk, outcome=Outcome.WON)
    give_feedback(author=anna, subject_id=bernd.pk, enjoyed=False, tags=["aggressive"])
    with pytest.raises(NotPlayedTogetherError):
        give_feedback(author=bernd, subject_id=anna.pk, enjoyed=True)
    assert said(hall) == [(bernd.pk, False, ["aggressive"])]


def test_the_newest_word_counts_and_skipping_takes_nothing_back() -> None:
    hall = make_hall()
    anna, bernd = hall.players[:2]
    first = played(hall)
    assert [one.is_answered for one in questions_about(first.pk, [anna.pk])] == [False]
    give_feedback(author=anna, subject_id=bernd.pk, enjoyed=None, tags=["friendly"])
    assert said(hall) == [(bernd.pk, None, [])]
    assert [one.is_answered for one in questions_about(first.pk, [anna.pk])] == [True]
    assert not feedback_by([anna.pk])
    give_feedback(author=anna, subject_id=bernd.pk, enjoyed=True, tags=["competitive", "friendly"])
    second = played(hall)
    assert [one.is_answered for one in questions_about(second.pk, [anna.pk])] == [False]
    give_feedback(author=anna, subject_id=bernd.pk, enjoyed=None)
    assert said(hall) == [(bernd.pk, True, ["friendly", "competitive"])]
    assert [one.is_answered for one in questions_about(second.pk, [anna.pk])] == [True]
    assert likes_of(anna) == [bernd.pk]
    give_feedback(author=anna, subject_id=bernd.pk, enjoyed=False)
    assert said(hall) == [(bernd.pk, False, [])]
    assert likes_of(anna) == likes_of(bernd) == []
    assert take_back(author=anna, subject_id=bernd.pk)
    assert not take_back(author=anna, subject_id=bernd.pk)


def test_who_is_asked() -> None:
    hall = make_hall(3)
    anna, bernd, carla = hall.players
    match = hall.put_into_match(0, against=1)
    everybody = [one.pk for one in hall.players]
    assert questions_about(match.pk, everybody) == []
    with hall.at_now():
        report.report(match_id=match.pk, player_id=bernd.pk, outcome=Outcome.WON)
    assert [one.subject for one in questions_about(match.pk, [bernd.pk])] == [anna]
    assert questions_about(match.pk, [anna.pk]) == questions_about(match.pk, [carla.pk]) == []


def test_two_words_at_once_leave_one() -> None:
    hall = make_hall()
    anna, bernd = hall.players[:2]
    played(hall)
    words = [True, False, True, None]
    at_once(
        *(
            lambda word=word: give_feedback(author=anna, subject_id=bernd.pk, enjoyed=word)
            for word in words
        )
    )
    assert Feedback.objects.count() == 1


def test_the_database_holds_it() -> None:
    hall = make_hall()
    anna, bernd = hall.players[:2]
    given = {"game_id": anna.game_id, "author": anna, "subject": bernd, "enjoyed": True}
    Feedback.objects.create(**given)
    for wrong in (
        given,
        {**given, "subject": anna},
        {**given, "author": bernd, "subject": anna, "tags": ["dull"]},
        {**given, "author": bernd, "subject": anna, "enjoyed": None, "tags": ["friendly"]},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Feedback.objects.create(**wrong)


def test_what_was_said_goes_with_a_merge_and_comes_back() -> None:
    hall = make_hall(4)
    kim, kims_other, fan, foe = hall.players
    for other in (2, 3):
        played(hall, 1, other)
    played(hall, 0, 3)
    hall.wait(10)
    give_feedback(author=kim, subject_id=foe.pk, enjoyed=True)
    hall.wait(10)
    with hall.at_now():
        give_feedback(author=kims_other, subject_id=fan.pk, enjoyed=True)
        give_feedback(author=kims_other, subject_id=foe.pk, enjoyed=False)
        give_feedback(author=fan, subject_id=kims_other.pk, enjoyed=False, tags=["obscene"])
    Feedback.objects.filter(author=kim).update(at=hall.now.replace(year=2020))
    merge(player=kims_other, into=kim, by=None, note="the same person")
    assert said(hall) == [(fan.pk, True, []), (foe.pk, False, [])]
    assert said(hall, 2) == [(kim.pk, False, ["obscene"]), (kims_other.pk, False, ["obscene"])]
    unmerge(player=Player.objects.get(pk=kims_other.pk), by=None, note="they are two")
    assert said(hall) == []
    assert said(hall, 1) == [(fan.pk, True, []), (foe.pk, False, [])]
    assert said(hall, 2) == [(kims_other.pk, False, ["obscene"])]


@pytest.mark.parametrize("skips", ["the merged", "the other"])
def test_a_skipped_question_is_no_word_when_two_are_merged(skips: str) -> None:
    hall = make_hall(3)
    kim, kims_other, fan = hall.players
    for number in (0, 1):
        played(hall, number, 2)
    speaker, skipper = (kim, kims_other) if skips == "the merged" else (kims_other, kim)
    give_feedback(author=speaker, subject_id=fan.pk, enjoyed=True, tags=["friendly"])
    Feedback.objects.update(at=hall.now.replace(year=2020))
    give_feedback(author=skipper, subject_id=fan.pk, enjoyed=None)
    merge(player=kims_other, into=kim, by=None, note="the same person")
    assert said(hall) == [(fan.pk, True, ["friendly"])]


def test_taking_back_reaches_what_was_merged() -> None:
    hall = make_hall(3)
    kim, kims_other, fan = hall.players
    played(hall, 1, 2)
    give_feedback(author=fan, subject_id=kims_other.pk, enjoyed=False)
    merge(player=kims_other, into=kim, by=None, note="the same person")
    assert take_back(author=fan, subject_id=kim.pk)
    assert not Feedback.objects.exists()
