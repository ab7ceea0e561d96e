"""Events that come late, doubled, in any order or never: what is waited for, what is given up, and what counts then."""

import random
from datetime import timedelta

import pytest
from django.test import override_settings

from foundation import clock
from ratings.logs.ending import end_silent
from ratings.logs.gaps import give_up_gaps
from ratings.models import LogEvent, LogGap, MatchLog, MatchState, RatingChange
from tests.ratings.logs.telling import event, frag, make_server, match_of, rate, ratings, tell

pytestmark = pytest.mark.django_db


def test_what_comes_late_is_put_in_its_place() -> None:
    server = make_server(start=500)
    answer = tell(server, frag(3, "ben", "ann"), frag(1, "ann", "ben"))
    assert (answer.logs["m1"].complete_to, answer.logs["m1"].missing) == (1, [(2, 2)])
    rate()
    early = ratings()
    answer = tell(server, frag(2, "cat", "ann"), frag(1, "ann", "ben"))
    assert (answer.stored, answer.known, answer.logs["m1"].missing) == (1, 1, [])
    rate()
    late = ratings()
    assert set(early) == {"ann", "ben"}
    assert set(late) == {"ann", "ben", "cat"}
    other = make_server("dm2")
    assert other.ladder_id == server.ladder_id


def test_the_same_number_with_another_content_is_refused() -> None:
    server = make_server()
    tell(server, frag(1, "ann", "ben"))
    answer = tell(server, frag(1, "ben", "ann"), frag(2, "ben", "ann"))
    assert {index: error.code for index, error in answer.refused.items()} == {0: "event_differs"}
    assert answer.stored == 1
    assert LogEvent.objects.filter(number=1, player__external_id="ann").exists()


def test_what_never_comes_is_given_up_and_named() -> None:
    server = make_server(start=500)
    tell(server, frag(1, "ann", "ben"), frag(4, "ann", "ben"), frag(7, "ann", "ben"))
    assert give_up_gaps() == 0
    with clock.at(clock.now() + timedelta(seconds=31)):
        assert give_up_gaps() == 1
        log = MatchLog.objects.get()
        assert (log.complete_to, log.gap_since is None) == (4, False)
        answer = tell(server, frag(2, "ben", "ann"), frag(5, "ben", "ann"))
        assert {index: error.code for index, error in answer.refused.items()} == {
            0: "event_given_up"
        }
        assert answer.logs["m1"].missing == [(6, 6)]
    with clock.at(clock.now() + timedelta(seconds=90)):
        assert give_up_gaps() == 1
        assert give_up_gaps() == 0
    gaps = list(LogGap.objects.values_list("first", "last"))
    assert gaps == [(2, 3), (6, 6)]
    assert MatchLog.objects.get().complete_to == 7


def test_a_match_whose_end_came_is_over_once_the_gap_is_given_up() -> None:
    server = make_server()
    tell(server, frag(1, "ann", "ben"), event(3, "end"))
    assert match_of().state == MatchState.PLAYING
    with clock.at(clock.now() + timedelta(seconds=31)):
        give_up_gaps()
        assert match_of().state == MatchState.CONFIRMED
        rate()
    assert RatingChange.objects.count() == 2
    answer = tell(server, frag(4, "ann", "ben"))
    assert answer.refused[0].code == "match_over"


def test_a_server_that_falls_silent_leaves_what_was_told() -> None:
    server = make_server()
    tell(server, frag(1, "ann", "ben"), frag(5, "ben", "ann"))
    assert end_silent() == 0
    with clock.at(clock.now() + timedelta(minutes=31)):
        assert end_silent() == 1
        assert end_silent() == 0
        rate()
    assert match_of().state == MatchState.CONFIRMED
    assert list(LogGap.objects.values_list("first", "last")) == [(2, 4)]
    assert RatingChange.objects.count() == 2


@override_settings(EVENT_GAP_SECONDS=0.0)
def test_whatever_comes_in_any_order_is_complete_in_the_end() -> None:
    luck = random.Random(3)
    for round_ in range(12):
        server = make_server(f"s{round_}")
        coming = [frag(number, "ann", "ben", f"m{round_}") for number in range(1, 25)]
        coming.append(event(25, "end", f"m{round_}"))
        while coming:
            given = [coming.pop(luck.randrange(len(coming))) for _ in range(min(3, len(coming)))]
            if luck.random() < 0.8:
                tell(server, *given)
            if luck.random() < 0.3:
                give_up_gaps()
        while MatchLog.objects.filter(server=server, gap_since__isnull=False).exists():
            give_up_gaps()
        log = MatchLog.objects.get(server=server)
        given_up = sum(gap.last - gap.first + 1 for gap in LogGap.objects.filter(log=log))
        assert LogEvent.objects.filter(log=log).count() + given_up == log.complete_to


def test_one_request_tells_of_so_many_matches_at_most() -> None:
    server = make_server()
    answer = tell(server, *(frag(1, "ann", "ben", f"m{number:03}") for number in range(102)))
    assert (answer.stored, len(answer.refused)) == (100, 2)
    assert {error.code for error in answer.refused.values()} == {"wrong_event"}
    assert MatchLog.objects.count() == 100


def test_a_clock_that_is_far_off_makes_no_minutes() -> None:
    server = make_server()
    long_ago = "2020-01-01T00:00:00Z"
    tell(server, event(1, "join", player="ann", at=long_ago), frag(2, "ann", "ben"))
    tell(server, event(3, "end", at="2090-01-01T00:00:00Z"))
    assert match_of().participants.filter(minutes__lt=1).count() == 2


def test_any_offset_of_a_clock_is_stored() -> None:
    server = make_server()
    answer = tell(server, frag(1, "ann", "ben", at="2026-12-01T10:00:00+23:59"))
    assert (answer.stored, answer.refused) == (1, {})
