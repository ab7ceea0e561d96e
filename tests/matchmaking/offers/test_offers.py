"""Offers: accepting, declining, and running out of time."""

import pytest
from pytest_django import DjangoAssertNumQueries

from foundation.refusals import RefusedError
from matchmaking.models import Offer, OfferTicket, Ticket
from matchmaking.refusals import AlreadyMatchedError, NoOfferError, OfferOverError
from ratings.models import MatchState
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db


def two_with_an_offer(**queue: object) -> Hall:
    """Player 0 has waited 5 s longer than player 1; both are offered a match with 20 s to accept."""
    hall = make_hall(**queue)  # type: ignore[arg-type]
    hall.join(0)
    hall.wait(5)
    hall.join(1)
    hall.sweep()
    return hall


class TestAccept:
    def test_the_first_waits_for_the_other(self) -> None:
        hall = two_with_an_offer()
        assert hall.accept(0).state == "pending"
        seats = OfferTicket.objects.order_by("ticket_id")
        assert list(seats.values_list("accepted_at", flat=True)) == [hall.now, None]
        hall.check()

    def test_the_last_starts_the_match(self) -> None:
        hall = two_with_an_offer()
        hall.accept(0)
        hall.wait(3)
        accepted = hall.accept(1)
        match = accepted.match
        assert match is not None
        assert (accepted.state, match.state) == ("accepted", MatchState.PLAYING)
        assert (match.ladder_id, match.played_at) == (hall.ladder.pk, hall.now)
        sides = match.participants.order_by("player").values_list("player", "playing")
        assert list(sides) == [(hall.players[0].pk, True), (hall.players[1].pk, True)]
        assert hall.states(0, 1) == ["matched", "matched"]
        assert hall.ticket(0).ended_at == hall.now
        hall.check()

    def test_it_takes_few_statements(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        hall = two_with_an_offer()
        with django_assert_num_queries(6):  # with those that begin and end the transaction
            hall.accept(0)
        with django_assert_num_queries(12):
            hall.accept(1)

    def test_the_same_again_gives_the_same(self) -> None:
        hall = two_with_an_offer()
        hall.accept(0)
        hall.wait(3)
        hall.accept(0)
        assert OfferTicket.objects.get(ticket=hall.tickets[0]).accepted_at != hall.now
        accepted = hall.accept(1)
        hall.wait(100)
        assert [hall.accept(n).match for n in (0, 1)] == [accepted.match] * 2

    def test_it_is_a_sign_of_life(self) -> None:
        hall = two_with_an_offer()
        hall.wait(3)
        hall.accept(0)
        assert hall.ticket(0).seen_at == hall.now

    def test_without_an_offer(self) -> None:
        hall = make_hall()
        hall.join(0)
        with pytest.raises(NoOfferError) as refusal:
            hall.accept(0)
        assert (refusal.value.code, refusal.value.extra) == (
            "no_offer",
            {"ticket": hall.tickets[0]},
        )

    def test_without_a_ticket(self) -> None:
        hall = make_hall()
        hall.tickets[0] = 0
        with pytest.raises(Ticket.DoesNotExist):
            hall.accept(0)

    def test_only_the_offer_that_was_seen(self) -> None:
        hall = two_with_an_offer()
        offer = Offer.objects.get()
        with pytest.raises(OfferOverError) as refusal:
            hall.accept(0, offer_id=offer.pk - 1)
        assert refusal.value.extra == {"offer": offer.pk - 1}
        assert not OfferTicket.objects.exclude(accepted_at=None).exists()
        assert hall.accept(0, offer_id=offer.pk).pk == offer.pk

    def test_too_late_closes_it_for_all(self) -> None:
        hall = two_with_an_offer()
        offer = Offer.objects.get()
        hall.accept(0)
        hall.wait(20)
        with pytest.raises(OfferOverError) as refusal:
            hall.accept(1)
        assert (refusal.value.code, refusal.value.extra) == ("offer_over", {"offer": offer.pk})
        assert hall.states(0, 1) == ["waiting", "expired"]
        hall.check()

    def test_at_the_last_moment(self) -> None:
        hall = two_with_an_offer()
        hall.accept(0)
        hall.wait(19.999)
        assert hall.accept(1).state == "accepted"

    def test_after_the_other_declined(self) -> None:
        hall = two_with_an_offer()
        hall.decline(1)
        with pytest.raises(OfferOverError):
            hall.accept(0)
        assert hall.states(0) == ["waiting"]


class TestDecline:
    def test_the_other_waits_on_as_before(self) -> None:
        hall = two_with_an_offer()
        since = hall.ticket(0).waiting_since
        hall.accept(0)
        hall.wait(2)
        assert hall.decline(1).state == "declined"
        assert hall.states(0, 1) == ["waiting", "cancelled"]
        assert hall.ticket(0).waiting_since == since
        seat = OfferTicket.objects.get(ticket=hall.tickets[1])
        assert (seat.declined_at, seat.accepted_at, seat.live) == (hall.now, None, False)
        hall.check()

    def test_after_accepting(self) -> None:
        hall = two_with_an_offer()
        hall.accept(0)
        hall.decline(0)
        assert hall.states(0, 1) == ["cancelled", "waiting"]
        hall.check()

    def test_the_same_again_gives_the_same(self) -> None:
        hall = two_with_an_offer()
        offer = Offer.objects.get()
        hall.decline(0)
        assert hall.decline(0).pk == offer.pk

    def test_the_innocent_cannot_decline_what_is_over(self) -> None:
        hall = two_with_an_offer()
        hall.decline(0)
        with pytest.raises(OfferOverError):
            hall.decline(1)
        assert hall.states(1) == ["waiting"]

    def test_once_the_match_has_begun(self) -> None:
        hall = two_with_an_offer()
        hall.accept(0)
        match = hall.accept(1).match
        assert match is not None
        with pytest.raises(AlreadyMatchedError) as refusal:
            hall.decline(0)
        assert (refusal.value.code, refusal.value.extra) == ("already_matched", {"match": match.pk})
        with pytest.raises(AlreadyMatchedError):
            hall.cancel(0)

    def test_too_late(self) -> None:
        hall = two_with_an_offer()
        hall.wait(20)
        with pytest.raises(OfferOverError):
            hall.decline(0)
        assert hall.states(0, 1) == ["expired", "expired"]

    def test_without_an_offer(self) -> None:
        hall = make_hall()
        hall.join(0)
        with pytest.raises(NoOfferError):
            hall.decline(0)

    def test_another_offer_than_the_present_one(self) -> None:
        hall = two_with_an_offer()
        offer = Offer.objects.get()
        with pytest.raises(OfferOverError):
            hall.decline(0, offer_id=offer.pk - 1)
        assert hall.states(0, 1) == ["offered", "offered"]


class TestExpiry:
    def test_nobody_answered(self) -> None:
        hall = two_with_an_offer()
        hall.wait(20)
        assert hall.sweep().expired_offers == 1
        assert hall.states(0, 1) == ["expired", "expired"]
        hall.check()

    def test_whoever_accepted_waits_on_and_keeps_the_place(self) -> None:
        hall = two_with_an_offer()
        offer = Offer.objects.get()
        since = hall.ticket(0).waiting_since
        hall.accept(0)
        hall.wait(20)
        hall.sweep()
        assert hall.states(0, 1) == ["waiting", "expired"]
        assert hall.ticket(0).waiting_since == since
        offer.refresh_from_db()
        assert (offer.state, offer.match) == ("expired", None)
        hall.check()

    def test_not_before_its_time(self) -> None:
        hall = two_with_an_offer()
        hall.wait(19.9)
        assert hall.sweep().expired_offers == 0
        assert hall.states(0, 1) == ["offered", "offered"]

    def test_silence_does_not_end_an_offer(self) -> None:
        hall = two_with_an_offer(accept_seconds=300, heartbeat_seconds=5)
        hall.wait(200)
        assert hall.sweep().expired_tickets == 0
        hall.accept(0)
        assert hall.accept(1).state == "accepted"

    def test_those_who_waited_on_can_be_offered_another_match_at_once(self) -> None:
        hall = two_with_an_offer()
        hall.accept(0)
        hall.wait(20)
        hall.join(2)
        hall.sweep()
        assert hall.pairs() == {frozenset({0, 2})}
        hall.check()


class TestPlayingElsewhere:
    def test_that_search_ends_and_the_other_waits_on(self) -> None:
        hall = two_with_an_offer()
        hall.put_into_match(0, against=3)
        hall.accept(0)
        with pytest.raises(OfferOverError):
            hall.accept(1)
        assert hall.states(0, 1) == ["cancelled", "waiting"]
        hall.check()

    def test_whoever_plays_is_told_so(self) -> None:
        hall = two_with_an_offer()
        match = hall.put_into_match(0, against=3)
        hall.accept(1)
        with pytest.raises(RefusedError) as refusal:
            hall.accept(0)
        assert refusal.value.code == "already_playing"
        assert refusal.value.extra["match"] == match.pk
        assert hall.states(0, 1) == ["cancelled", "waiting"]
        hall.check()
