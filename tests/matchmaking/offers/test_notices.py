"""Open pages are told of what happens to a search, once it has been committed."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from redis import Redis
from redis.client import PubSub

from events.kinds import Kind
from events.live.messages import Message
from matchmaking.models import Offer, Queue, Ticket
from ratings.models import Player
from tests.events.declared import check_declared
from tests.matchmaking.hall import Hall, make_hall

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def listening() -> Iterator[PubSub]:
    with Redis.from_url(settings.REDIS_URL) as client, client.pubsub() as channel:
        channel.subscribe(settings.LIVE_CHANNEL)
        assert channel.get_message(timeout=60)["type"] == "subscribe"
        yield channel


def told(hall: Hall, channel: PubSub) -> list[tuple[str, set[int]]]:
    """What was told since the last time to players of the hall: the kind, and to whom by number. Servers of their game
    hear all of it.
    """
    servers = f"searches:{hall.players[0].game_id}"
    numbers = {f"player:{player.pk}": number for number, player in enumerate(hall.players)}
    found = []
    with Redis.from_url(settings.REDIS_URL) as client:
        client.publish(settings.LIVE_CHANNEL, b"end")
    for message in channel.listen():  # type: ignore[no-untyped-call]
        if message["data"] == b"end":
            break
        for line in message["data"].splitlines():
            parsed = Message.unpacked(line)
            if parsed.kind == Kind.NOTICE_MADE:  # of the conduct of whoever declines or is silent
                continue
            if whom := {numbers[topic] for topic in parsed.topics if topic in numbers}:
                found.append((parsed.kind, whom))
                assert parsed.kind.startswith("match.") or servers in parsed.topics
    return found


def test_each_step_of_a_search() -> None:
    hall = make_hall(3)
    with listening() as channel:
        hall.join(0)
        hall.join(1)
        assert told(hall, channel) == [("ticket.waiting", {0}), ("ticket.waiting", {1})]
        hall.sweep()
        assert told(hall, channel) == [("offer.made", {0}), ("offer.made", {1})]
        hall.accept(0)
        assert told(hall, channel) == [("offer.answered", {0, 1})]
        hall.accept(1)
        assert ("offer.accepted", {0, 1}) in told(hall, channel)
    assert check_declared() >= {Kind.TICKET_WAITING, Kind.OFFER_MADE, Kind.MATCH_STARTED}


def test_each_way_to_end() -> None:
    hall = make_hall(4)
    with listening() as channel:
        hall.join(0, 1)
        hall.sweep()
        told(hall, channel)
        hall.decline(0)
        assert told(hall, channel) == [("offer.declined", {0}), ("offer.declined", {1})]
        hall.join(2)
        hall.sweep()
        told(hall, channel)
        hall.wait(20)
        hall.sweep()
        assert told(hall, channel) == [("offer.expired", {1}), ("offer.expired", {2})]
        hall.join(3)
        told(hall, channel)
        hall.cancel(3)
        assert told(hall, channel) == [("ticket.cancelled", {3})]
        hall.join(3)
        told(hall, channel)
        hall.wait(61)
        hall.sweep()
        assert told(hall, channel) == [("ticket.expired", {3})]
    assert not Ticket.objects.filter(members__live=True).exists()
    ended = {Kind.OFFER_DECLINED, Kind.OFFER_EXPIRED, Kind.TICKET_CANCELLED, Kind.TICKET_EXPIRED}
    assert check_declared() >= ended


def messages(channel: PubSub, kind: str) -> list[Message]:
    """Those of a kind since the last time."""
    with Redis.from_url(settings.REDIS_URL) as client:
        client.publish(settings.LIVE_CHANNEL, b"end")
    found = []
    for message in channel.listen():  # type: ignore[no-untyped-call]
        if message["data"] == b"end":
            break
        found += [Message.unpacked(line) for line in message["data"].splitlines()]
    return [one for one in found if one.kind == kind]


def check_tickets(hall: Hall, told: list[Message], *numbers: int, offer: int | None) -> None:
    """Each of these was told of the own ticket, and of nobody else."""
    assert [message.players for message in told] == [(hall.players[n].pk,) for n in numbers]
    for message in told:
        (player,) = message.players
        ticket = Ticket.objects.filter(members__player=player).latest("pk")
        expected = {"ticket": ticket.pk, "queue": hall.queue.pk}
        assert message.ids == expected | ({} if offer is None else {"offer": offer})
        topics = {f"player:{player}", f"searches:{hall.players[0].game_id}"}
        assert set(message.topics) == topics


def test_what_is_told_of_many_names_the_ticket_of_each() -> None:
    hall = make_hall(5)
    with listening() as channel:
        hall.join(0, 1, 2, 3)
        hall.sweep()
        made = messages(channel, "offer.made")
        assert len(made) == 4
        assert made == sorted(made, key=lambda one: one.ids["ticket"])  # not by their ratings
        for offer in Offer.objects.all():
            seated = offer.tickets.values_list("ticket", flat=True)
            mine = [one for one in made if one.ids["offer"] == offer.pk]
            assert {one.ids["ticket"] for one in mine} == set(seated)
            numbers = [hall.players.index(Player.objects.get(pk=one.players[0])) for one in mine]
            check_tickets(hall, mine, *numbers, offer=offer.pk)
        hall.wait(20)
        hall.sweep()
        expired = messages(channel, "offer.expired")
        assert {one.ids["ticket"] for one in expired} == {one.ids["ticket"] for one in made}
        hall.join(4)
        hall.wait(61)
        hall.sweep()
        check_tickets(hall, messages(channel, "ticket.expired"), 4, offer=None)


def test_what_is_told_of_one_search_names_its_players() -> None:
    hall = make_hall(3)
    with listening() as channel:
        hall.join(0, 1)
        check_tickets(hall, messages(channel, "ticket.waiting"), 0, 1, offer=None)
        hall.sweep()
        hall.decline(0)
        declined = messages(channel, "offer.declined")
        check_tickets(hall, declined, 0, 1, offer=Offer.objects.get().pk)
        hall.cancel(1)
        check_tickets(hall, messages(channel, "ticket.cancelled"), 1, offer=None)


def test_where_nobody_is_asked_each_is_told_of_the_own_ticket_too() -> None:
    hall = make_hall(2)
    Queue.objects.filter(pk=hall.queue.pk).update(accepts_by_itself=True)
    with listening() as channel:
        hall.join(0, 1)
        hall.sweep()
        told = messages(channel, "offer.accepted")
        assert len(told) == 2
        check_tickets(hall, told, 0, 1, offer=Offer.objects.get().pk)
