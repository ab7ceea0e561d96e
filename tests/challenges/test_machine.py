"""Whatever players and time do with challenges, in whatever order: the promises hold."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from challenges import answer, make, meeting
from challenges.make import Wanted
from challenges.models import LIVE, Challenge, ChallengeState
from challenges.settle import settle
from foundation.refusals import RefusedError
from matchmaking.models import Ticket
from matchmaking.models import tickets as searching
from ratings.matches.decide import confirm_by_server
from ratings.matches.result import Result
from ratings.models import OPEN, Match, Participant
from tests.forms import often
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db

PLAYERS = 4
WHO = st.integers(0, PLAYERS - 1)
# What may follow upon each state: nothing else ever does.
FOLLOWS = {
    "open": {"open", "accepted", "declined", "withdrawn", "expired", "started"},
    "accepted": {"accepted", "started", "missed", "cancelled"},
}
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("send"), WHO, WHO),
        st.tuples(st.just("meet"), WHO, WHO),
        st.tuples(st.just("link"), WHO, WHO),
        st.tuples(
            st.sampled_from(["accept", "decline", "withdraw", "cancel", "here", "take"]),
            WHO,
            st.integers(0, 5),
        ),
        st.tuples(st.just("wait"), st.sampled_from([5, 70, 200, 700, 4000]), st.just(0)),
        st.tuples(st.sampled_from(["settle", "end", "see"]), WHO, st.just(0)),
        st.tuples(st.just("search"), WHO, st.just(0)),
    ),
    max_size=30,
)


def latest(number: int) -> Challenge | None:
    return Challenge.objects.order_by("-pk")[number : number + 1].first()


def act(hall: Hall, what: str, who: int, other: int) -> None:
    player = hall.players[who] if who < PLAYERS else hall.players[0]
    ladder = hall.ladder
    made = latest(other)
    pk: dict[str, Any] = {"challenge_id": made.pk if made else 0, "player": player}
    soon = hall.now + timedelta(minutes=12)
    acts = {
        "send": lambda: make.challenge(
            player=player, other=hall.players[other % PLAYERS], wanted=Wanted(ladder=ladder)
        ),
        "meet": lambda: make.challenge(
            player=player,
            other=hall.players[other % PLAYERS],
            wanted=Wanted(ladder=ladder, at=soon),
        ),
        "link": lambda: make.open_link(player=player, wanted=Wanted(ladder=ladder, rated=False)),
        "accept": lambda: answer.accept(**pk),
        "decline": lambda: answer.decline(**pk),
        "withdraw": lambda: answer.withdraw(**pk),
        "cancel": lambda: answer.cancel(**pk),
        "here": lambda: meeting.say_here(**pk),
        "take": lambda: answer.take(code=(made.code if made else "") or "NONE", player=player),
        "settle": settle,
        "see": lambda: meeting.note_seen([player.pk]),
        "end": lambda: [
            confirm_by_server(match_id=one.pk, result=Result(ranks=(0, 1)))
            for one in Match.objects.filter(state__in=OPEN, participants__player=player)
        ],
        "search": lambda: hall.join(who),
    }
    try:
        with transaction.atomic(), hall.at_now():
            acts[what]()  # type: ignore[no-untyped-call]
    except (RefusedError, Challenge.DoesNotExist):
        pass


@settings(max_examples=often(15, 60))
@given(steps=STEPS)
def test_promises_hold_after_each_step(steps: list[tuple[str, int, int]]) -> None:
    with transaction.atomic():
        hall = make_hall(players=PLAYERS)
        before: dict[int, str] = {}
        for what, who, other in steps:
            if what == "wait":
                hall.wait(who)
                continue
            act(hall, what, who, other)
            states = dict(Challenge.objects.values_list("pk", "state"))
            for pk, state in states.items():
                was = before.get(pk, "open")
                assert state == was or state in FOLLOWS.get(was, set()), (was, state)
            before = states
            check_places()
        transaction.set_rollback(True)


def check_places() -> None:
    """Nobody plays twice, and who plays by a challenge searches nowhere; one match a challenge."""
    playing = list(Participant.objects.filter(playing=True).values_list("player", flat=True))
    assert len(playing) == len(set(playing))
    live = Ticket.objects.filter(state__in=searching.LIVE, members__live=True)
    assert not live.filter(members__player__in=playing).exists()
    begun = Challenge.objects.filter(state=ChallengeState.STARTED)
    assert begun.count() == Match.objects.count()
    open_between = [
        (one.ladder_id, *sorted(one.players))
        for one in Challenge.objects.filter(state=ChallengeState.OPEN, challenged__isnull=False)
    ]
    assert len(open_between) == len(set(open_between))
    assert not Challenge.objects.exclude(state__in=LIVE).filter(ended_at=None).exists()
