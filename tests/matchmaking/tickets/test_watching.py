"""What a player sees of a search, and how long it is expected to take."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db.models import F
from django.db.models.functions import Now
from pytest_django import DjangoAssertNumQueries

from matchmaking.models import Offer, Ticket, TicketState
from matchmaking.playing import current_match
from matchmaking.queues.wait_estimates import Estimate, estimate, estimate_for, estimates
from matchmaking.tickets import status
from matchmaking.tickets.lifecycle import Choice
from matchmaking.tickets.status import OfferSeen, Search, look, search_of
from ratings.models import Match, Mode, RatingTrack
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def seen(hall: Hall, number: int) -> Search:
    with hall.at_now():
        found = search_of(hall.players[number].pk)
    assert found is not None
    return found


def ended(hall: Hall, *waits: float, ago: float = 0.0, state: str = "matched") -> None:
    """Searches that ended after these waits, so many seconds ago."""
    at = hall.now - timedelta(seconds=ago)
    Ticket.objects.bulk_create(
        Ticket(
            queue=hall.queue, state=state, ended_at=at, waiting_since=at - timedelta(seconds=wait)
        )
        for wait in waits
    )


def rated(hall: Hall, rating: float, *waits: float) -> None:
    """The same of players with this rating, who have found a match just now."""
    known = set(Ticket.objects.values_list("pk", flat=True))
    ended(hall, *waits)
    Ticket.objects.exclude(pk__in=known).update(rating=rating)


class TestSearch:
    def test_nobody_searches(self) -> None:
        hall = make_hall()
        assert search_of(hall.players[0].pk) is None
        assert look(hall.players[0].pk) is None

    def test_waiting(self) -> None:
        hall = make_hall(heartbeat_seconds=60)
        hall.join(0)
        hall.wait(12)
        assert seen(hall, 0) == Search(
            ticket_id=hall.tickets[0],
            queue_id=hall.queue.pk,
            queue=hall.queue.slug,
            queue_name="Go",
            ladder=hall.ladder.slug,
            state=TicketState.WAITING,
            party_id=None,
            preferences={},
            waiting_since=hall.now - timedelta(seconds=12),
            waited=12.0,
            ends_at=hall.now + timedelta(seconds=48),
            estimate=Estimate(None, None, 0),
            offer=None,
            match_id=None,
        )

    def test_with_an_offer(self) -> None:
        hall = make_hall()
        hall.join(0, 1)
        hall.sweep()
        hall.wait(5)
        hall.accept(0)
        offer = Offer.objects.get()
        mine, theirs = (seen(hall, number) for number in (0, 1))
        assert (mine.state, mine.ends_at) == (TicketState.OFFERED, None)
        assert mine.offer == OfferSeen(
            offer.pk,
            offer.expires_at,
            seconds_left=15.0,
            accepted=1,
            of=2,
            is_accepted=True,
            team=offer.tickets.get(ticket=hall.tickets[0]).team,
            teams=mine.offer.teams if mine.offer else (),
            map="",
            is_neutral=False,
        )
        assert theirs.offer is not None
        assert not theirs.offer.is_accepted
        hall.wait(100)
        late = seen(hall, 1).offer
        assert late is not None
        assert late.seconds_left == 0.0

    def test_everybody_of_an_offer_but_the_opponents_characters(self) -> None:
        hall = make_hall(4, team_size=2)
        hall.join_together(0, 1, character="Mage", others={hall.players[1].pk: Choice("Monk")})
        hall.join(2, 3, character="Troll")
        hall.sweep()
        offer = seen(hall, 1).offer
        assert offer is not None
        own, other = offer.teams[offer.team], offer.teams[1 - offer.team]
        assert [(one.player, one.character) for one in own] == [
            (hall.players[0], "Mage"),
            (hall.players[1], "Monk"),
        ]
        assert {one.player for one in other} == {hall.players[2], hall.players[3]}
        assert [one.character for one in other] == [None, None]

    def test_matched_until_it_is_reported(self) -> None:
        hall = make_hall()
        hall.join(0, 1)
        hall.wait(3)
        hall.sweep()
        hall.accept(0)
        match = hall.accept(1).match
        hall.wait(10)
        assert match is not None
        found = seen(hall, 0)
        assert (found.state, found.match_id, found.waited) == ("matched", match.pk, 3.0)
        assert current_match(hall.players[0].pk) == match
        match.participants.filter(player=hall.players[0]).update(playing=False)
        assert search_of(hall.players[0].pk) is None
        assert current_match(hall.players[0].pk) is None
        assert seen(hall, 1).match_id == match.pk

    @pytest.mark.parametrize("wait", [0, 61])
    def test_an_ended_one_is_seen_by_its_number_only(self, wait: float) -> None:
        hall = make_hall(heartbeat_seconds=60)
        hall.join(0)
        hall.wait(wait)
        hall.sweep()
        hall.cancel(0)
        hall.wait(5)
        assert search_of(hall.players[0].pk) is None
        with hall.at_now():
            found, _players = status.seen(hall.tickets[0])
        assert found.state == ("expired" if wait else "cancelled")
        assert (found.waited, found.ends_at, found.match_id) == (wait, None, None)

    def test_no_such_ticket(self) -> None:
        with pytest.raises(Ticket.DoesNotExist):
            status.seen(1)

    def test_looking_is_a_sign_of_life(self) -> None:
        hall = make_hall()
        hall.join(0)
        hall.wait(40)
        seen(hall, 0)
        assert hall.ticket(0).seen_at < hall.now
        with hall.at_now():
            look(hall.players[0].pk)
        assert hall.ticket(0).seen_at == hall.now

    def test_a_few_queries(self, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
        hall = make_hall()
        hall.join(0, 1)
        hall.sweep()
        with hall.at_now(), django_assert_max_num_queries(5):
            look(hall.players[0].pk)

    def test_several_of_one_offer_and_others(
        self, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        hall = make_hall()
        hall.join(0, 1)
        hall.sweep()
        hall.join(2)
        tickets = [hall.tickets[number] for number in range(3)]
        with hall.at_now(), django_assert_max_num_queries(3):
            found = status.searches_on([*reversed(tickets), 0])
        assert [search.ticket_id for search, _ in found] == tickets
        assert [[one.player for one in players] for _, players in found] == [
            [player] for player in hall.players[:3]
        ]
        with hall.at_now():
            assert found == [status.seen(ticket) for ticket in tickets]
        offers = [search.offer for search, _ in found]
        assert status.searches_on([]) == []
        assert [offer and offer.team for offer in offers] in ([0, 1, None], [1, 0, None])


class TestMatch:
    def test_one_arranged_elsewhere_too(self) -> None:
        hall = make_hall()
        match = hall.put_into_match(0, against=1)
        assert current_match(hall.players[0].pk) == match
        assert current_match(hall.players[2].pk) is None
        assert Match.objects.count() == 1


class TestEstimate:
    def test_half_and_nine_in_ten(self) -> None:
        hall = make_hall()
        ended(hall, *range(11))
        with hall.at_now():
            assert estimate(hall.queue.pk) == Estimate(median=5.0, p90=9.0, searches=11)

    def test_too_few(self) -> None:
        hall = make_hall()
        ended(hall, *range(9))
        ended(hall, *range(50), state="cancelled")
        with hall.at_now():
            assert estimate(hall.queue.pk) == Estimate(None, None, 9)

    def test_only_lately(self) -> None:
        hall = make_hall()
        ended(hall, *[1.0] * 30, ago=86_401)
        ended(hall, *[500.0] * 20, ago=80_000)
        with hall.at_now():
            assert estimate(hall.queue.pk) == Estimate(500.0, 500.0, 20)
        ended(hall, *[3.0] * 200)
        with hall.at_now():
            assert estimate(hall.queue.pk) == Estimate(3.0, 3.0, 200)

    def test_of_those_rated_next_to_somebody(self) -> None:
        hall = make_hall()
        hall.rate({0: 1900, 1: 1500})
        rated(hall, 1900, *[90.0] * 30)
        rated(hall, 1500, *[4.0] * 60)
        with hall.at_now():
            assert estimate(hall.queue.pk, 1480.0) == Estimate(4.0, 4.0, 50)
            assert estimate(hall.queue.pk, 1950.0) == Estimate(90.0, 90.0, 50)
            assert estimate(hall.queue.pk) == Estimate(4.0, 90.0, 90)
            assert estimate_for(hall.queue, [hall.players[0].pk]).median == 90.0
            assert estimate_for(hall.queue, [hall.players[2].pk]).median == 4.0  # not rated yet
        hall.join(0, 1, 2)
        waits = [seen(hall, number).estimate.median for number in (0, 1, 2)]
        assert waits == [90.0, 4.0, 4.0]

    def test_of_all_where_too_few_are_rated(self) -> None:
        hall = make_hall()
        rated(hall, 1500, *[4.0] * 9)
        ended(hall, *[8.0] * 20)
        with hall.at_now():
            assert estimate(hall.queue.pk, 1500.0) == Estimate(8.0, 8.0, 29)

    def test_ratings_of_the_track_that_was_shown_before_say_nothing(self) -> None:
        hall = make_hall()
        rated(hall, 1900, *[90.0] * 30)
        rated(hall, 1500, *[4.0] * 60)
        hall.wait(3600)
        RatingTrack.objects.update(shown_since=hall.now)
        hall.wait(hall.queue.accept_seconds + 60)
        with hall.at_now():
            assert estimate(hall.queue.pk, 1900.0) == Estimate(4.0, 90.0, 90)
        rated(hall, 30, *[7.0] * 10)
        with hall.at_now():
            assert estimate(hall.queue.pk, 1900.0) == Estimate(7.0, 7.0, 10)

    def test_hidden_ratings_are_not_asked(self) -> None:
        hall = make_hall(mode=Mode.NORMAL)
        RatingTrack.objects.update(shown=True)
        hall.rate({0: 1900})
        rated(hall, 1900, *[90.0] * 30)
        rated(hall, 1500, *[4.0] * 60)
        hall.join(0)
        assert seen(hall, 0).estimate.median == 4.0
        with hall.at_now():
            assert estimate_for(hall.queue, [hall.players[0].pk]).median == 4.0

    def test_each_queue_for_itself(self) -> None:
        hall, other = make_hall(), make_hall()
        ended(hall, *[7.0] * 10)
        with hall.at_now():
            found = estimates([hall.queue.pk, other.queue.pk])
        assert found == {
            hall.queue.pk: Estimate(7.0, 7.0, 10),
            other.queue.pk: Estimate(None, None, 0),
        }
        assert estimates([]) == {}

    def test_what_was_read_is_kept_for_seconds(
        self, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        hall = make_hall()
        ended(hall, *[7.0] * 10)
        monkeypatch.setattr(settings, "ESTIMATES_KEPT", 3600.0)
        with hall.at_now():  # at another time than PostgreSQL's nothing is kept
            assert estimate(hall.queue.pk).median == 7.0
        Ticket.objects.update(ended_at=Now(), waiting_since=Now() - timedelta(seconds=7))
        assert estimate(hall.queue.pk) == Estimate(7.0, 7.0, 10)
        Ticket.objects.update(waiting_since=F("ended_at") - timedelta(seconds=90))
        with django_assert_num_queries(0):
            assert estimate(hall.queue.pk) == Estimate(7.0, 7.0, 10)
        monkeypatch.setattr(settings, "ESTIMATES_KEPT", 0.0)
        assert estimate(hall.queue.pk) == Estimate(90.0, 90.0, 10)
