"""Challenges from the first word to the match: who may, what comes of it, and what comes between."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, transaction

from challenges import answer, limits, make, meeting
from challenges.make import Wanted
from challenges.models import Challenge, ChallengeState, Side
from challenges.refusals import (
    CannotChallengeError,
    ChallengeOverError,
    ChallengesItselfError,
    ChallengeStandsError,
    NoRematchError,
    NotChallengedError,
    NotChallengerError,
    TooEarlyError,
    TooManyChallengesError,
    UnknownChallengeError,
    WrongChallengeError,
)
from challenges.settle import settle
from foundation.refusals import RefusedError
from foundation.templatetags.display import utc_text
from matchmaking.models import TicketState
from notifications.models import Notice
from ratings.archiving import archive
from ratings.matches.decide import confirm_by_server
from ratings.matches.result import Result
from ratings.matches.start import AlreadyPlayingError, start_match
from ratings.merging.merge import merge
from ratings.merging.running import end_searches, running_of
from ratings.models import Ladder, Match
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return make_hall(players=5)


def send(hall: Hall, by: int = 0, to: int = 1, **more: object) -> Challenge:
    with hall.at_now():
        wanted = Wanted(ladder=hall.ladder, **more)  # type: ignore[arg-type]
        return make.challenge(player=hall.players[by], other=hall.players[to], wanted=wanted)


def accept(hall: Hall, made: Challenge, who: int = 1) -> Challenge:
    with hall.at_now():
        return answer.accept(challenge_id=made.pk, player=hall.players[who])


def sides_of(match: Match | None) -> list[int]:
    assert match is not None
    return list(match.participants.order_by("team").values_list("player", flat=True))


@pytest.mark.parametrize("side", [Side.MINE, Side.OTHER])
@pytest.mark.parametrize("rated", [True, False])
def test_who_accepts_plays_at_once(hall: Hall, side: Side, rated: bool) -> None:
    made = accept(hall, send(hall, side=side, rated=rated, note=" Good  luck! "))
    assert (made.state, made.note) == (ChallengeState.STARTED, "Good luck!")
    both = [player.pk for player in hall.players[:2]]
    assert sides_of(made.match) == (both if side == Side.MINE else both[::-1])
    assert made.match is not None
    assert made.match.rated is rated
    again = accept(hall, made)
    assert again.match_id == made.match_id
    assert Match.objects.count() == 1


@pytest.mark.full
def test_a_side_by_lot_is_either(hall: Hall) -> None:
    firsts = set()
    for _round in range(40):
        made = accept(hall, send(hall))
        assert made.match is not None
        firsts.add(sides_of(made.match)[0])
        confirm_by_server(match_id=made.match.pk, result=Result(ranks=(0, 1)))
    assert firsts == {hall.players[0].pk, hall.players[1].pk}


def test_a_challenger_who_is_away_is_waited_for(hall: Hall) -> None:
    made = send(hall)
    hall.wait(limits.COUNTS_AS_HERE.total_seconds() + 1)
    assert accept(hall, made).state == ChallengeState.ACCEPTED
    assert Notice.objects.filter(player=hall.players[0], kind="challenge.accepted").count() == 1
    with hall.at_now():
        begun = meeting.say_here(challenge_id=made.pk, player=hall.players[0])
    assert begun.state == ChallengeState.STARTED
    late = send(hall, 2, 3)
    hall.wait(61)
    accept(hall, late, 3)
    hall.wait(limits.WAITS_FOR_BOTH.total_seconds() + 1)
    with hall.at_now():
        assert settle()["missed"] == 1
        assert settle()["missed"] == 0
        with pytest.raises(ChallengeOverError) as refused:
            meeting.say_here(challenge_id=late.pk, player=hall.players[2])
    assert refused.value.extra["state"] == "missed"


def test_whoever_looks_is_there(hall: Hall) -> None:
    made = send(hall)
    hall.wait(90)
    with hall.at_now():
        meeting.note_seen([hall.players[0].pk])
    assert accept(hall, made).state == ChallengeState.STARTED


def test_one_answer_wins_and_the_others_are_told(hall: Hall) -> None:
    made = send(hall)
    with pytest.raises(NotChallengedError), hall.at_now():
        answer.accept(challenge_id=made.pk, player=hall.players[0])
    with pytest.raises(NotChallengerError), hall.at_now():
        answer.withdraw(challenge_id=made.pk, player=hall.players[1])
    with hall.at_now():
        answer.withdraw(challenge_id=made.pk, player=hall.players[0])
        answer.withdraw(challenge_id=made.pk, player=hall.players[0])
        assert not Notice.objects.filter(kind="challenge.made").exists()
        for act in (answer.accept, answer.decline):
            with pytest.raises(ChallengeOverError) as refused:
                act(challenge_id=made.pk, player=hall.players[1])
            assert refused.value.extra == {"challenge": made.pk, "state": "withdrawn"}
    declined = send(hall)
    with hall.at_now():
        answer.decline(challenge_id=declined.pk, player=hall.players[1])
        with pytest.raises(ChallengeOverError, match="declined"):
            answer.withdraw(challenge_id=declined.pk, player=hall.players[0])


def test_its_time_is_over(hall: Hall) -> None:
    made = send(hall, expires_in=timedelta(minutes=1))
    hall.wait(61)
    with pytest.raises(ChallengeOverError) as refused:
        accept(hall, made)
    assert refused.value.extra["state"] == "expired"
    made.refresh_from_db()
    assert made.state == ChallengeState.EXPIRED
    other = send(hall, 1, 0, expires_in=timedelta(minutes=1))
    hall.wait(61)
    assert send(hall, 0, 1).pk != other.pk  # nobody had ended it yet
    other.refresh_from_db()
    assert other.state == ChallengeState.EXPIRED


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(days=400)])
def test_who_was_seen_by_a_clock_that_ran_ahead_is_not_there(hall: Hall, ahead: timedelta) -> None:
    made = send(hall)
    Challenge.objects.update(challenger_seen_at=hall.now + ahead)
    hall.wait(10)
    assert accept(hall, made).state == ChallengeState.ACCEPTED
    other = send(hall, 2, 3)
    Challenge.objects.filter(pk=other.pk).update(challenger_seen_at=hall.now + ahead)
    with hall.at_now():
        meeting.note_seen([hall.players[2].pk])
    other.refresh_from_db()
    assert other.challenger_seen_at == hall.now
    assert accept(hall, other, 3).state == ChallengeState.STARTED


def test_one_is_open_between_two(hall: Hall) -> None:
    made = send(hall)
    for by, to in ((0, 1), (1, 0)):
        with pytest.raises(ChallengeStandsError) as refused:
            send(hall, by, to)
        assert refused.value.extra == {"challenge": made.pk}
    with pytest.raises(IntegrityError, match="challenge_one_open"), transaction.atomic():
        Challenge.objects.create(
            ladder=hall.ladder,
            challenger=hall.players[1],
            challenged=hall.players[0],
            created_at=hall.now,
            expires_at=hall.now + timedelta(1),
        )


def test_so_many_are_open_and_no_more(hall: Hall, settings: LazySettings) -> None:
    settings.CHALLENGES_OPEN = 2
    send(hall, 0, 1)
    send(hall, 0, 2)
    with pytest.raises(TooManyChallengesError) as refused:
        send(hall, 0, 3)
    assert refused.value.extra == {"limit": 2}
    hall.wait(601)
    send(hall, 0, 3)


def test_what_cannot_be(hall: Hall) -> None:
    teams = Ladder.objects.create(
        game=hall.ladder.game, slug="teams", name="Teams", team_count=2, team_size=2
    )
    stranger = make_hall(players=1).players[0]
    with hall.at_now():
        own = hall.players[0]
        for wanted, other in (
            (Wanted(ladder=teams), hall.players[1]),
            (Wanted(ladder=hall.ladder), stranger),
            (Wanted(ladder=hall.ladder, note="x" * 201), hall.players[1]),
            (Wanted(ladder=hall.ladder, note="a\u202eb"), hall.players[1]),
            (Wanted(ladder=hall.ladder, expires_in=timedelta(days=8)), hall.players[1]),
            (Wanted(ladder=hall.ladder, at=hall.now + timedelta(minutes=9)), hall.players[1]),
        ):
            with pytest.raises(WrongChallengeError):
                make.challenge(player=own, other=other, wanted=wanted)
        with pytest.raises(ChallengesItselfError):
            make.challenge(player=own, other=own, wanted=Wanted(ladder=hall.ladder))
    assert not Challenge.objects.exists()


def test_nobody_is_in_two_places(hall: Hall) -> None:
    hall.join(0, 1, 3)
    made = accept(hall, send(hall))
    assert made.state == ChallengeState.STARTED
    assert hall.states(0, 1, 3) == [TicketState.CANCELLED] * 2 + [TicketState.WAITING]
    asked = send(hall, 2, 0)
    with pytest.raises(AlreadyPlayingError) as refused:
        accept(hall, asked, 0)
    assert refused.value.extra["match"] == made.match_id
    mine = send(hall, 0, 4)
    hall.wait(30)
    with pytest.raises(CannotChallengeError):  # the challenger plays: that is not told
        accept(hall, mine, 4)
    mine.refresh_from_db()
    assert mine.state == ChallengeState.ACCEPTED
    assert Match.objects.count() == 1
    assert made.match_id is not None
    confirm_by_server(match_id=made.match_id, result=Result(ranks=(0, 1)))
    with hall.at_now():
        settle()
    mine.refresh_from_db()
    assert mine.state == ChallengeState.STARTED


def test_a_link_is_taken_once(hall: Hall) -> None:
    with hall.at_now():
        made = make.open_link(player=hall.players[0], wanted=Wanted(ladder=hall.ladder))
        assert made.code is not None
        with pytest.raises(ChallengesItselfError):
            answer.take(code=made.code, player=hall.players[0])
        with pytest.raises(UnknownChallengeError):
            answer.take(code="NOTHING", player=hall.players[1])
        typed = f" {made.code[:4].lower()}-{made.code[4:]}"
        taken = answer.take(code=typed, player=hall.players[1])
        assert taken.state == ChallengeState.STARTED
        assert answer.take(code=typed, player=hall.players[1]).match_id == taken.match_id
        with pytest.raises(ChallengeOverError):
            answer.take(code=typed, player=hall.players[2])
    codes = {make._new_code() for _ in range(1000)}
    assert len(codes) == 1000


def test_an_appointment(hall: Hall) -> None:
    at = hall.now + timedelta(hours=30)
    made = send(hall, at=at)
    assert made.expires_at == at
    assert accept(hall, made).state == ChallengeState.ACCEPTED
    with pytest.raises(TooEarlyError) as refused, hall.at_now():
        meeting.say_here(challenge_id=made.pk, player=hall.players[0])
    assert refused.value.extra == {"opens_at": utc_text(at - limits.CALLED_BEFORE)}

    def told() -> dict[str, int]:
        with hall.at_now():
            done = settle()
            assert not any(settle().values())  # twice is once
        return {name: number for name, number in done.items() if number}

    hall.wait(28.5 * 3600)
    assert told() == {}
    hall.wait(0.6 * 3600)
    assert told() == {"reminded": 1}
    hall.wait(0.9 * 3600 - 5 * 60)
    assert told() == {"called": 1}
    kinds = Notice.objects.filter(player=hall.players[1]).values_list("kind", flat=True)
    assert {"appointment.proposed", "appointment.reminded", "appointment.called"} == set(kinds)
    with hall.at_now():
        here = meeting.say_here(challenge_id=made.pk, player=hall.players[0])
        assert here.state == ChallengeState.ACCEPTED
        begun = meeting.say_here(challenge_id=made.pk, player=hall.players[1])
    assert begun.state == ChallengeState.STARTED


def test_an_appointment_that_somebody_misses_or_calls_off(hall: Hall) -> None:
    made = accept(hall, send(hall, at=hall.now + timedelta(minutes=20)))
    with hall.at_now():
        other = make.challenge(
            player=hall.players[2],
            other=hall.players[3],
            wanted=Wanted(ladder=hall.ladder, at=hall.now + timedelta(minutes=20)),
        )
        answer.accept(challenge_id=other.pk, player=hall.players[3])
        answer.cancel(challenge_id=other.pk, player=hall.players[2])
        answer.cancel(challenge_id=other.pk, player=hall.players[3])
    assert Notice.objects.filter(player=hall.players[3], kind="challenge.cancelled").exists()
    hall.wait(30 * 60 + 1)
    with hall.at_now():
        assert settle()["missed"] == 1
    made.refresh_from_db()
    assert made.state == ChallengeState.MISSED


def test_a_rematch_swaps_sides(hall: Hall) -> None:
    first = accept(hall, send(hall, side=Side.MINE, rated=False)).match
    assert first is not None
    with pytest.raises(NoRematchError), hall.at_now():
        make.rematch(player=hall.players[0], match_id=first.pk)
    with hall.at_now():
        confirm_by_server(match_id=first.pk, result=Result(ranks=(0, 1)))
        asked, is_others = make.rematch(player=hall.players[1], match_id=first.pk)
        assert not is_others
        same, is_others = make.rematch(player=hall.players[0], match_id=first.pk)
        assert (same.pk, is_others) == (asked.pk, True)
        begun = answer.accept(challenge_id=asked.pk, player=hall.players[0])
    assert begun.match is not None
    assert sides_of(begun.match) == sides_of(first)[::-1]
    assert not begun.match.rated
    with pytest.raises(NoRematchError), hall.at_now():
        make.rematch(player=hall.players[2], match_id=first.pk)
    hall.wait(601)
    with pytest.raises(NoRematchError), hall.at_now():
        make.rematch(player=hall.players[0], match_id=first.pk)


def test_what_is_archived_or_merged_ends_them(
    hall: Hall, django_capture_on_commit_callbacks: Any
) -> None:
    made, agreed = send(hall), accept(hall, send(hall, 2, 3, at=hall.now + timedelta(hours=1)), 3)
    assert running_of(hall.players[1]) == [f"challenge {made.pk}"]
    end_searches(hall.players[1])
    with django_capture_on_commit_callbacks(execute=True):
        merge(player=hall.players[1], into=hall.players[4], by=None, note="One person.")
    made.refresh_from_db()
    assert made.state == ChallengeState.EXPIRED
    with django_capture_on_commit_callbacks(execute=True):
        archive(hall.ladder, by=None)
    agreed.refresh_from_db()
    assert agreed.state == ChallengeState.CANCELLED
    hall.ladder.refresh_from_db()
    with pytest.raises(RefusedError, match="archived"):
        send(hall)


def test_an_open_match_of_the_game_is_no_rematch(hall: Hall) -> None:
    match = start_match(ladder=hall.ladder, teams=[[one.pk] for one in hall.players[:2]])
    with pytest.raises(NoRematchError), hall.at_now():
        make.rematch(player=hall.players[0], match_id=match.pk)
