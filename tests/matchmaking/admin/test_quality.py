"""How queues have done: waits and evenness by strategy, and the latest matches with what came of them."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matchmaking.models import Offer, OfferTicket, Queue, Ticket, TicketState
from matchmaking.queues import quality
from matchmaking.queues.latest_matches import latest_matches
from matchmaking.queues.quality import qualities
from ratings.models import (
    ChangeKind,
    Ladder,
    Match,
    MatchState,
    Mode,
    Participant,
    RatingChange,
)
from tests.matchmaking.hall import NOON, Hall, make_hall
from tests.ratings.admin_cast import staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return make_hall(6)


def play(hall: Hall, one: int, other: int, **offer: Any) -> Offer:
    """Let two players find each other and accept."""
    hall.join(one, other)
    hall.wait(offer.pop("wait", 10))
    hall.beat(one, other)
    hall.sweep()
    made = hall.accept(one)
    hall.accept(other)
    Offer.objects.filter(pk=made.pk).update(**offer)
    return Offer.objects.get(pk=made.pk)


def test_figures_by_strategy_and_of_all(hall: Hall) -> None:
    play(hall, 0, 1, wait=10, gap=20.0, chance=0.55, record={"strategy": "filters"})
    play(hall, 2, 3, wait=30, gap=60.0, chance=0.8, record={"strategy": "fcfs"})
    with hall.at_now():
        found = qualities([hall.queue.pk], span="hour")[hall.queue.pk]
    total, (fcfs, filters) = found.total, found.by_strategy
    assert (total.strategy, total.matches, total.mean, total.gap) == (None, 2, 20.0, 40.0)
    assert total.distance == pytest.approx(0.175)
    assert total.even == 0.5
    assert (fcfs.strategy, fcfs.matches, fcfs.p50, fcfs.p99, fcfs.even) == ("fcfs", 1, 30, 30, 0)
    assert (filters.strategy, filters.mean, filters.gap, filters.even) == ("filters", 10, 20, 1)
    assert total.p50 == 20.0
    assert total.p95 == total.p99 == 30.0


def test_only_matches_of_the_span_count(hall: Hall) -> None:
    play(hall, 0, 1)
    hall.join(2, 3)
    hall.sweep()
    hall.decline(2)
    hall.wait(3700)
    with hall.at_now():
        assert qualities([hall.queue.pk], span="hour") == {}
        assert qualities([hall.queue.pk], span="day")[hall.queue.pk].total.matches == 1


def test_of_very_many_matches_one_in_so_many_is_looked_at(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quality, "MOST", 10)
    matches = Match.objects.bulk_create(
        Match(
            ladder=hall.ladder,
            game=hall.ladder.game,
            external_id=f"m{number}",
            played_at=NOON,
            due_at=hall.now,
        )
        for number in range(40)
    )
    ids = [
        Offer.objects.create(
            queue=hall.queue,
            state="accepted",
            match=match,
            created_at=NOON,
            expires_at=NOON + timedelta(minutes=1),
            gap=10.0,
        ).pk
        for match in matches
    ]
    for pk in ids:
        ticket = Ticket.objects.create(
            queue=hall.queue,
            state=TicketState.MATCHED,
            waiting_since=NOON,
            ended_at=NOON + timedelta(seconds=5),
        )
        OfferTicket.objects.create(offer_id=pk, ticket=ticket, team=0)
    with hall.at_now():
        found = qualities([hall.queue.pk], span="hour")[hall.queue.pk]
    assert found.step == 4
    assert found.total.matches == sum(pk % 4 == 0 for pk in ids)
    assert found.total.p50 == 5.0
    assert found.total.even is None
    assert not found.is_cut
    monkeypatch.setattr(quality, "AMONG", 20)
    Offer.objects.filter(pk__in=ids[:20]).update(created_at=NOON - timedelta(seconds=1))
    with hall.at_now():
        found = qualities([hall.queue.pk], span="hour")[hall.queue.pk]
    assert (found.is_cut, found.step) == (True, 2)
    assert found.total.matches == sum(pk % 2 == 0 for pk in ids[20:])


def test_queues_beside_each_other_take_one_query(
    hall: Hall, client: Client, django_assert_num_queries: Any
) -> None:
    other = make_hall(2)
    play(hall, 0, 1, record={"strategy": "filters"})
    play(other, 0, 1, record={"strategy": "buckets"})
    with hall.at_now(), django_assert_num_queries(1):
        found = qualities([hall.queue.pk, other.queue.pk], span="hour")
    assert sorted(found) == sorted([hall.queue.pk, other.queue.pk])
    silent = Queue.objects.create(ladder=hall.ladder, slug="silent", name="Silent")
    address = reverse("admin:matchmaking_queue_qualities")
    with hall.at_now():
        shown = client.get(address, {"last": "hour"}).content.decode()
    assert reverse("admin:matchmaking_queue_quality", args=[silent.pk]) in shown
    assert "Without a match in this time" in shown
    assert "Go · buckets" in shown


def test_the_latest_matches_say_who_was_expected_and_what_came_of_it(hall: Hall) -> None:
    offer = play(hall, 0, 1, chance=0.3)
    assert offer.match is not None
    seats = list(Participant.objects.filter(match=offer.match).order_by("team"))
    Participant.objects.filter(pk=seats[0].pk).update(rank=0)
    Participant.objects.filter(pk=seats[1].pk).update(rank=1)
    Match.objects.filter(pk=offer.match.pk).update(
        state=MatchState.CONFIRMED,
        due_at=None,
        confirmed_at=hall.now,
        counts_at=hall.now,
    )
    hall.rate({0: 1500.0, 1: 1500.0})
    RatingChange.objects.create(
        track=hall.track,
        player=seats[0].player,
        kind=ChangeKind.MATCH,
        match=offer.match,
        at=hall.now,
        expected=0.3,
        actual=1.0,
        weight=32.0,
        value_before=1500.0,
        value_after=1511.2,
    )
    (found,) = latest_matches(hall.queue, at_most=5)
    first, second = found.teams
    assert found.certainty == pytest.approx(0.7)
    assert (first.is_expected, first.has_won, first.outcome) == (False, True, "won")
    assert (second.is_expected, second.has_won) == (True, False)
    assert first.people[0].points == pytest.approx(11.2)
    assert first.people[0].decimals == 1
    assert second.people[0].points is None


def test_an_even_or_open_match_has_no_favourite_and_no_outcome(hall: Hall) -> None:
    play(hall, 0, 1, chance=0.5)
    play(hall, 2, 3, chance=None)
    unknown, even = latest_matches(hall.queue, at_most=5)
    assert (unknown.certainty, even.certainty) == (None, 0.5)
    for team in unknown.teams + even.teams:
        assert (team.is_expected, team.outcome) == (False, "")


def test_the_page_takes_as_many_queries_for_many_as_for_few(
    hall: Hall, client: Client, django_assert_max_num_queries: Any
) -> None:
    for one in (0, 2, 4):
        play(hall, one, one + 1)
    address = reverse("admin:matchmaking_queue_quality", args=[hall.queue.pk])
    with hall.at_now(), django_assert_max_num_queries(14):
        shown = client.get(address).content.decode()
    assert "player 5" in shown


def test_matches_of_normal_mode_are_listed_for_who_may_view_matches(hall: Hall) -> None:
    play(hall, 0, 1, chance=0.7)
    Ladder.objects.update(mode=Mode.NORMAL)
    address = reverse("admin:matchmaking_queue_quality", args=[hall.queue.pk])

    def shown_to(*codenames: str) -> str:
        with hall.at_now():
            return staff(*codenames).get(address).content.decode()

    text = shown_to("view_queue", "view_offer")
    assert "Latest matches" in text
    assert "player 0" not in text
    assert "favourite" not in text
    text = shown_to("view_queue", "view_offer", "view_match")
    assert "player 0" in text
    assert "favourite" in text


def test_an_unknown_span_is_the_usual_one_and_staff_without_rights_sees_nothing(
    hall: Hall, client: Client
) -> None:
    address = reverse("admin:matchmaking_queue_quality", args=[hall.queue.pk])
    assert (
        'aria-current="page">the last day' in client.get(address, {"last": "year"}).content.decode()
    )
    assert "No match was made in this time." in client.get(address).content.decode()
    clerk = staff()
    for one in (address, reverse("admin:matchmaking_queue_qualities")):
        assert clerk.get(one).status_code == 403
