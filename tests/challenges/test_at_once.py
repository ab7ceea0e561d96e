"""Answers at the same moment: one wins, everybody is told which, and at most one match begins."""

from collections.abc import Callable
from functools import partial

import pytest

from challenges import answer, make, meeting
from challenges.make import Wanted
from challenges.models import Challenge, ChallengeState
from challenges.settle import settle
from foundation.refusals import RefusedError
from ratings.matches.decide import abort, confirm_by_server
from ratings.matches.result import Result
from ratings.matches.start import start_match
from ratings.models import Match, Player
from tests.at_once import at_once
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db(transaction=True)

Answer = Callable[[], str]


def said(act: Callable[[], Challenge]) -> Answer:
    def answered() -> str:
        try:
            return str(act().state)
        except RefusedError as refusal:
            return f"{refusal.code} {refusal.extra.get('state', '')}".strip()

    return answered


def settled(pk: int) -> Challenge:
    settle()
    return Challenge.objects.get(pk=pk)


def test_accepted_declined_and_withdrawn_at_once() -> None:
    hall = make_hall(players=2)
    first, second = hall.players
    for _round in range(15):
        made = make.challenge(player=first, other=second, wanted=Wanted(ladder=hall.ladder))
        pk = made.pk
        told = at_once(
            [
                said(partial(answer.accept, challenge_id=pk, player=second)),
                said(partial(answer.accept, challenge_id=pk, player=second)),
                said(partial(answer.decline, challenge_id=pk, player=second)),
                said(partial(answer.withdraw, challenge_id=pk, player=first)),
                said(partial(settled, made.pk)),
            ]
        )
        made.refresh_from_db()
        assert not made.is_live
        won = made.state
        others = {"started", "accepted"} if won == ChallengeState.STARTED else {won}
        for word in told[:4]:
            assert word in others or word.split()[0] == "challenge_over"
            if word.startswith("challenge_over"):
                assert word.split()[1] in others
        assert Match.objects.filter(challenge=made).count() == (won == ChallengeState.STARTED)
        for match in Match.objects.filter(state="playing"):
            match.participants.update(playing=False)


def test_many_take_one_link_and_one_plays() -> None:
    hall = make_hall(players=8)
    made = make.open_link(player=hall.players[0], wanted=Wanted(ladder=hall.ladder))
    code = made.code or ""
    told = at_once([said(partial(answer.take, code=code, player=one)) for one in hall.players[1:]])
    assert told.count("started") == 1
    assert all(word == "started" or word.startswith("challenge_over") for word in told)
    assert Match.objects.count() == 1


def test_one_player_in_many_challenges_plays_one_match() -> None:
    hall = make_hall(players=7)
    star, others = hall.players[0], hall.players[1:]
    made = [
        make.challenge(player=one, other=star, wanted=Wanted(ladder=hall.ladder)) for one in others
    ]
    told = at_once([said(partial(answer.accept, challenge_id=one.pk, player=star)) for one in made])
    assert told.count("started") == 1, told
    assert Match.objects.count() == 1


def test_two_who_challenge_each_other_have_one() -> None:
    hall = make_hall(players=2)
    first, second = hall.players
    wanted = Wanted(ladder=hall.ladder)
    told = at_once(
        [
            said(lambda: make.challenge(player=first, other=second, wanted=wanted)),
            said(lambda: make.challenge(player=second, other=first, wanted=wanted)),
            said(lambda: make.challenge(player=first, other=second, wanted=wanted)),
        ]
    )
    assert sorted(told) == ["challenge_stands", "challenge_stands", "open"]


def test_no_more_than_may_be_are_made_at_once() -> None:
    hall = make_hall(players=9)
    wanted = Wanted(ladder=hall.ladder)
    first = hall.players[0]
    told = at_once(
        [
            said(partial(make.challenge, player=first, other=one, wanted=wanted))
            for one in hall.players[1:]
        ]
    )
    assert told.count("open") == 5
    assert told.count("too_many_challenges") == 3


def test_both_come_at_once() -> None:
    hall = make_hall(players=2)
    first, second = hall.players
    made = make.challenge(player=first, other=second, wanted=Wanted(ladder=hall.ladder))
    Challenge.objects.filter(pk=made.pk).update(challenger_seen_at=None)
    assert answer.accept(challenge_id=made.pk, player=second).state == ChallengeState.ACCEPTED
    told = at_once(
        [said(lambda: meeting.say_here(challenge_id=made.pk, player=first)) for _ in range(6)]
        + [said(partial(settled, made.pk)) for _ in range(2)]
    )
    assert set(told) <= {"started", "accepted"}
    made.refresh_from_db()
    assert made.state == ChallengeState.STARTED
    assert Match.objects.count() == 1


def test_both_press_rematch_at_once_and_it_begins() -> None:
    """Whoever is second accepts what the first has asked."""
    hall = make_hall(players=2)
    teams = [[one.pk] for one in hall.players]

    def press(player: Player, match_id: int) -> Challenge:
        made, is_others = make.rematch(player=player, match_id=match_id)
        return answer.accept(challenge_id=made.pk, player=player) if is_others else made

    for _round in range(10):
        match = start_match(ladder=hall.ladder, teams=teams)
        confirm_by_server(match_id=match.pk, result=Result(ranks=(0, 1)))
        told = at_once([said(partial(press, one, match.pk)) for one in hall.players])
        assert sorted(told) == ["open", "started"]
        again = Challenge.objects.get(rematch_of=match).match
        assert again is not None
        abort(match_id=again.pk)
