"""Parties that several change at once, while they search and are matched: real threads, each with its own session."""

import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest

from matchmaking.models import Party, PartyMember, Ticket, TicketState
from matchmaking.offers import answer as offers
from matchmaking.parties import lifecycle as parties
from matchmaking.sweep import run as sweep
from matchmaking.tickets import lifecycle
from ratings.models import Participant
from tests.matchmaking.hall import Hall
from tests.matchmaking.offers.test_at_once import AGAIN, at_once, end_all
from tests.matchmaking.squads import (
    check_parties,
    gather,
    make_team_hall,
    members,
    search_together,
)

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 12


def joining(hall: Hall, number: int, party: Party) -> Callable[[], object]:
    return partial(parties.join_party, player=hall.players[number], code=party.code)


def leaving(hall: Hall, number: int, party: Party) -> Callable[[], object]:
    return partial(parties.leave_party, party_id=party.pk, player=hall.players[number])


def leave_all(hall: Hall) -> None:
    """Nobody searches, plays or is in a party."""
    end_all()
    for seat in PartyMember.objects.filter(live=True).select_related("player"):
        parties.leave_party(party_id=seat.party_id, player=seat.player)


def test_the_last_place_is_taken_once() -> None:
    hall = make_team_hall(size=2)
    for _ in range(ROUNDS):
        party = gather(hall, 0)
        outcomes = at_once(*(joining(hall, number, party) for number in (1, 2, 3)))
        assert outcomes.count("party_full") == 2
        assert len(members(hall, party)) == 2
        check_parties()
        leave_all(hall)


def test_nobody_gets_into_two_parties() -> None:
    hall = make_team_hall()
    for _ in range(ROUNDS):
        one, other = gather(hall, 0), gather(hall, 1)
        outcomes = at_once(
            joining(hall, 2, one),
            joining(hall, 2, other),
            partial(parties.open_party, player=hall.players[2]),
        )
        assert outcomes.count("already_in_party") == 2
        assert PartyMember.objects.filter(player=hall.players[2], live=True).count() == 1
        check_parties()
        leave_all(hall)


def test_all_go_at_once() -> None:
    hall = make_team_hall(size=4)
    for _ in range(ROUNDS):
        party = gather(hall, 0, 1, 2, 3)
        outcomes = at_once(*(leaving(hall, number, party) for number in range(4)))
        assert all(isinstance(outcome, Party) for outcome in outcomes)
        assert Party.objects.get(pk=party.pk).ended_at is not None
        check_parties()


def test_somebody_comes_while_the_last_one_goes() -> None:
    hall = make_team_hall()
    for _ in range(ROUNDS):
        party = gather(hall, 0)
        came, _left = at_once(joining(hall, 1, party), leaving(hall, 0, party))
        assert members(hall, party) == ([1] if isinstance(came, Party) else [])
        assert isinstance(came, Party) or came == "unknown_party"
        check_parties()
        leave_all(hall)


def test_the_leader_hands_over_while_the_other_goes() -> None:
    hall = make_team_hall(size=3)
    for _ in range(ROUNDS):
        party = gather(hall, 0, 1, 2)
        leader, heir = (player.pk for player in hall.players[:2])
        at_once(
            partial(parties.hand_over, party_id=party.pk, to=heir, by=leader),
            leaving(hall, 1, party),
            leaving(hall, 0, party),
        )
        assert members(hall, party) == [2]
        check_parties()
        leave_all(hall)


def test_the_leader_searches_while_a_member_goes() -> None:
    hall, seen = make_team_hall(), set()
    for _ in range(ROUNDS):
        party = gather(hall, 0, 1)
        searched, left = at_once(partial(search_together, hall, party), leaving(hall, 1, party))
        assert isinstance(left, Party)
        assert isinstance(searched, Ticket)
        searched.refresh_from_db()
        alone = [seat.player for seat in searched.members.all()] == [hall.players[0]]
        assert searched.state == (TicketState.WAITING if alone else TicketState.CANCELLED)
        seen.add(alone)
        check_parties()
        leave_all(hall)


@pytest.mark.full
def test_a_member_goes_while_the_match_begins() -> None:
    """The match wins, or the search ends: never both, and the answer says which."""
    hall = make_team_hall(**AGAIN)
    for _ in range(ROUNDS):
        ours, theirs = gather(hall, 0, 1), gather(hall, 2, 3)
        own, other = search_together(hall, ours), search_together(hall, theirs)
        assert sweep.run_queue(hall.queue.pk).offers == 1
        offers.accept(ticket_id=own.pk)
        left, _accepted = at_once(
            leaving(hall, 1, ours), partial(offers.accept, ticket_id=other.pk)
        )
        own.refresh_from_db()
        if left == "already_matched":
            assert (own.state, members(hall, ours)) == (TicketState.MATCHED, [0, 1])
        elif own.state == TicketState.MATCHED:
            # The match was over with when the party was held: the search is none of its concern any more.
            assert (isinstance(left, Party), members(hall, ours)) == (True, [0])
        else:
            assert (own.state, members(hall, ours)) == (TicketState.CANCELLED, [0])
            assert not Participant.objects.filter(playing=True).exists()
        check_parties()
        leave_all(hall)


@pytest.mark.full
def test_everybody_does_something_all_the_time() -> None:
    hall, chance = make_team_hall(8, gap_start=1000, **AGAIN), random.Random(7)
    for _ in range(40):
        at_once(*(partial(act, hall, number, chance.random()) for number in range(8)))
        sweep.run_queue(hall.queue.pk)
        check_parties()
        assert_one_party_each()
        Participant.objects.update(playing=False)
    assert Party.objects.count() > 5
    assert Ticket.objects.filter(state=TicketState.CANCELLED, party__isnull=False).exists()


def assert_one_party_each() -> None:
    inside = list(
        PartyMember.objects.filter(live=True).values_list("player", flat=True).order_by("player")
    )
    assert all(one < other for one, other in pairwise(inside))


def act(hall: Hall, number: int, luck: float) -> object:
    """Let one player do something, by the luck of the draw."""
    player = hall.players[number]
    seat = PartyMember.objects.filter(player=player, live=True).select_related("party").first()
    if seat is None:
        party = Party.objects.filter(ended_at__isnull=True).order_by("-pk").first()
        if party is None or luck < 0.4:
            return parties.open_party(player=player)
        return parties.join_party(player=player, code=party.code)
    if luck < 0.2:
        return parties.leave_party(party_id=seat.party_id, player=player)
    if luck < 0.3:
        others = PartyMember.objects.filter(party=seat.party, live=True).exclude(player=player)
        to = others.values_list("player", flat=True).first() or player.pk
        return parties.hand_over(party_id=seat.party_id, to=to, by=player.pk)
    ticket = Ticket.objects.filter(members__player=player, members__live=True).first()
    if ticket is None:
        return lifecycle.join(queue=hall.queue, player=player, party=seat.party_id)
    return (
        offers.accept(ticket_id=ticket.pk) if luck < 0.8 else lifecycle.cancel(ticket_id=ticket.pk)
    )
