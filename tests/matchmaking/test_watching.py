"""What a player sees of a search, and how long it is expected to take."""

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from matchmaking.estimates import Estimate, estimate, estimates
from matchmaking.models import Offer, Ticket, TicketState
from matchmaking.watching import OfferSeen, Search, current_match, look, search_of, search_on
from ratings.models import Match
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
            offer.pk, offer.expires_at, seconds_left=15.0, accepted=1, of=2, is_accepted=True
        )
        assert theirs.offer is not None
        assert not theirs.offer.is_accepted
        hall.wait(100)
        late = seen(hall, 1).offer
        assert late is not None
        assert late.seconds_left == 0.0

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
        hall.leave(0)
        hall.wait(5)
        assert search_of(hall.players[0].pk) is None
        with hall.at_now():
            found = search_on(hall.tickets[0])
        assert found.state == ("expired" if wait else "cancelled")
        assert (found.waited, found.ends_at, found.match_id) == (wait, None, None)

    def test_no_such_ticket(self) -> None:
        with pytest.raises(Ticket.DoesNotExist):
            search_on(1)

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
