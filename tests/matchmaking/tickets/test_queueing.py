"""Joining, signs of life, leaving."""

import pytest

from foundation.refusals import RefusedError
from matchmaking.models import Queue, Ticket, TicketMember, TicketState
from matchmaking.refusals import (
    AlreadySearchingError,
    QueueClosedError,
    UnknownQueueError,
    WrongGameError,
)
from matchmaking.tickets import lifecycle
from tests.matchmaking.hall import make_hall

pytestmark = pytest.mark.django_db


class TestJoin:
    def test_it_waits_from_now_on(self) -> None:
        hall = make_hall()
        (ticket,) = hall.join(0)
        ticket.refresh_from_db()
        assert (ticket.state, ticket.waiting_since, ticket.seen_at) == (
            "waiting",
            hall.now,
            hall.now,
        )
        member = ticket.members.get()
        assert (member.player_id, member.live) == (hall.players[0].pk, True)

    def test_a_closed_queue_takes_nobody(self) -> None:
        hall = make_hall(is_open=False)
        with pytest.raises(QueueClosedError) as refusal:
            hall.join(0)
        assert refusal.value.code == "queue_closed"
        assert not Ticket.objects.exists()

    def test_a_queue_closed_meanwhile_takes_nobody(self) -> None:
        hall = make_hall()
        Queue.objects.update(is_open=False)
        with pytest.raises(QueueClosedError):
            hall.join(0)

    def test_a_queue_that_is_gone_meanwhile_is_named(self) -> None:
        hall = make_hall()
        Queue.objects.all().delete()
        with pytest.raises(UnknownQueueError, match=hall.queue.slug) as refusal:
            hall.join(0)
        assert (refusal.value.code, refusal.value.status) == ("unknown_queue", 404)

    def test_one_alone_may_search_for_a_team(self) -> None:
        hall = make_hall(team_count=2, team_size=3)
        (ticket,) = hall.join(0)
        assert (ticket.state, ticket.members.count()) == ("waiting", 1)

    def test_a_player_of_another_game_is_refused(self) -> None:
        hall, other = make_hall(), make_hall()
        with pytest.raises(WrongGameError) as refusal:
            lifecycle.join(queue=hall.queue, player=other.players[0])
        assert (refusal.value.code, refusal.value.status) == ("wrong_game", 422)
        assert refusal.value.extra == {"player": other.players[0].pk}

    def test_twice_names_the_first(self) -> None:
        hall = make_hall()
        (ticket,) = hall.join(0)
        with pytest.raises(AlreadySearchingError) as refusal:
            hall.join(0)
        assert refusal.value.code == "already_searching"
        assert refusal.value.extra == {"ticket": ticket.pk}
        assert Ticket.objects.count() == 1

    def test_in_another_queue_of_the_game_too(self) -> None:
        hall = make_hall()
        other = Queue.objects.create(ladder=hall.ladder, slug="other", name="Other")
        (ticket,) = hall.join(0)
        with pytest.raises(AlreadySearchingError) as refusal:
            lifecycle.join(queue=other, player=hall.players[0])
        assert refusal.value.extra == {"ticket": ticket.pk}

    def test_whoever_plays_is_refused(self) -> None:
        hall = make_hall()
        match = hall.put_into_match(0, against=1)
        with pytest.raises(RefusedError) as refusal:
            hall.join(0)
        assert refusal.value.code == "already_playing"
        assert refusal.value.extra["match"] == match.pk
        assert not Ticket.objects.exists()

    def test_again_after_leaving(self) -> None:
        hall = make_hall()
        hall.join(0)
        hall.cancel(0)
        hall.join(0)
        assert list(TicketMember.objects.order_by("pk").values_list("live", flat=True)) == [
            False,
            True,
        ]


class TestBeat:
    def test_it_is_noted(self) -> None:
        hall = make_hall(heartbeat_seconds=60)
        hall.join(0)
        hall.wait(20)
        hall.beat(0)
        assert hall.ticket(0).seen_at == hall.now

    def test_at_most_every_quarter_of_the_heartbeat(self) -> None:
        hall = make_hall(heartbeat_seconds=60)
        (ticket,) = hall.join(0)
        hall.wait(14.9)
        hall.beat(0)
        assert hall.ticket(0).seen_at == ticket.seen_at
        hall.wait(0.1)
        hall.beat(0)
        assert hall.ticket(0).seen_at == hall.now

    def test_an_ended_ticket_stays_as_it_was(self) -> None:
        hall = make_hall()
        hall.join(0)
        ended = hall.cancel(0)
        hall.wait(50)
        hall.beat(0)
        assert hall.ticket(0).seen_at == ended.seen_at

    def test_one_that_does_not_exist_is_no_error(self) -> None:
        lifecycle.beat(1)


class TestLeave:
    def test_a_waiting_ticket_is_cancelled(self) -> None:
        hall = make_hall()
        hall.join(0)
        hall.wait(3)
        ticket = hall.cancel(0)
        assert (ticket.state, ticket.ended_at) == (TicketState.CANCELLED, hall.now)
        hall.check()

    def test_the_same_again_gives_the_same(self) -> None:
        hall = make_hall()
        hall.join(0)
        first = hall.cancel(0)
        hall.wait(3)
        assert hall.cancel(0).ended_at == first.ended_at

    def test_an_expired_ticket_is_given_back(self) -> None:
        hall = make_hall(heartbeat_seconds=60)
        hall.join(0)
        hall.wait(61)
        hall.sweep()
        assert hall.cancel(0).state == TicketState.EXPIRED

    def test_one_that_does_not_exist(self) -> None:
        with pytest.raises(Ticket.DoesNotExist):
            lifecycle.cancel(ticket_id=1)

    def test_with_an_offer_the_other_waits_on(self) -> None:
        hall = make_hall()
        hall.join(0)
        hall.wait(5)
        hall.join(1)
        hall.sweep()
        hall.accept(1)
        assert hall.cancel(0).state == TicketState.CANCELLED
        assert hall.states(0, 1) == ["cancelled", "waiting"]
        hall.check()

    def test_an_acknowledged_cancel_is_never_offered(self) -> None:
        hall = make_hall()
        hall.join(0, 1)
        hall.cancel(0)
        assert hall.sweep().offers == 0
