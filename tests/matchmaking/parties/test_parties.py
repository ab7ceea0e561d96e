"""Parties: who may come, who leads, and what a change does to a search."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import AuditEntry, User
from foundation import clock
from foundation.refusals import RefusedError
from matchmaking.models import Offence, Offer, Party, PartyMember, TicketState
from matchmaking.offers import answer as offers
from matchmaking.parties import lifecycle as parties
from matchmaking.sweep import run as sweep
from ratings.models import Ladder, Participant
from tests.matchmaking.hall import NOON, Hall, make_hall
from tests.matchmaking.squads import (
    check_parties,
    gather,
    make_team_hall,
    members,
    search_together,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]


def refused(code: str) -> pytest.RaisesExc[RefusedError]:
    """That what follows is refused with this code."""
    return pytest.raises(RefusedError, check=lambda error: error.code == code)


def leave(hall: Hall, party: Party, number: int) -> Party:
    return parties.leave_party(party_id=party.pk, player=hall.players[number])


def reload(party: Party) -> Party:
    return Party.objects.get(pk=party.pk)


def test_who_opens_a_party_leads_it() -> None:
    hall = make_team_hall()
    party = gather(hall, 0)
    assert (party.leader, party.game) == (hall.players[0], hall.ladder.game)
    assert members(hall, party) == [0]
    assert party.created_at == NOON
    assert len(party.code) == 10


def test_others_come_with_the_code_however_it_is_typed() -> None:
    hall = make_team_hall(size=3)
    party = gather(hall, 0)
    parties.join_party(player=hall.players[1], code=party.code)
    typed = f" {party.code[:5].lower()}-{party.code[5:]} "
    parties.join_party(player=hall.players[2], code=typed)
    parties.join_party(player=hall.players[2], code=party.code)  # again: nothing changes
    assert members(hall, party) == [0, 1, 2]
    check_parties()


def test_a_party_is_no_larger_than_a_team() -> None:
    hall = make_team_hall(size=2)
    party = gather(hall, 0, 1)
    with refused("party_full") as refusal:
        parties.join_party(player=hall.players[2], code=party.code)
    assert refusal.value.extra == {"largest": 2}
    Ladder.objects.create(game=hall.ladder.game, slug="large", name="Large", team_size=3)
    parties.join_party(player=hall.players[2], code=party.code)
    assert members(hall, party) == [0, 1, 2]


def test_a_game_without_teams_has_no_parties() -> None:
    hall = make_hall(1)
    with refused("no_teams"):
        parties.open_party(player=hall.players[0])


def test_nobody_is_in_two_parties() -> None:
    hall = make_team_hall()
    one, other = gather(hall, 0), gather(hall, 1)
    with refused("already_in_party") as refusal:
        parties.open_party(player=hall.players[0])
    assert refusal.value.extra == {"party": one.pk}
    with refused("already_in_party"):
        parties.join_party(player=hall.players[0], code=other.code)
    leave(hall, one, 0)
    parties.join_party(player=hall.players[0], code=other.code)
    assert members(hall, other) == [1, 0]


def test_codes_of_ended_parties_and_of_other_games_lead_nowhere() -> None:
    hall, elsewhere = make_team_hall(), make_team_hall()
    party = gather(hall, 0)
    with refused("unknown_party"):
        parties.join_party(player=elsewhere.players[0], code=party.code)
    leave(hall, party, 0)
    for code in (party.code, "", "nothing"):
        with refused("unknown_party"):
            parties.join_party(player=hall.players[1], code=code)


def test_the_longest_member_leads_when_the_leader_goes() -> None:
    hall = make_team_hall(size=3)
    party = gather(hall, 0, 2, 1)
    leave(hall, party, 0)
    assert reload(party).leader == hall.players[2]
    assert members(hall, party) == [2, 1]
    leave(hall, party, 1)
    assert reload(party).leader == hall.players[2]
    check_parties()


def test_the_last_one_out_ends_it() -> None:
    hall = make_team_hall()
    with clock.at(NOON):
        party = gather(hall, 0, 1)
        leave(hall, party, 0)
        leave(hall, party, 1)
    assert reload(party).ended_at == NOON
    check_parties()
    with refused("party_over"):
        leave(hall, party, 1)


def test_the_leader_sends_somebody_away_and_the_old_code_leads_nobody_back() -> None:
    hall = make_team_hall()
    party = gather(hall, 0, 1)
    removed = parties.remove_member(
        party_id=party.pk, member=hall.players[1].pk, by=hall.players[0].pk
    )
    assert members(hall, party) == [0]
    assert removed.code != party.code
    with refused("unknown_party"):
        parties.join_party(player=hall.players[1], code=party.code)
    parties.join_party(player=hall.players[1], code=removed.code)
    check_parties()


def test_the_leader_hands_over() -> None:
    hall = make_team_hall()
    party = gather(hall, 0, 1)
    one, other = (player.pk for player in hall.players[:2])
    parties.hand_over(party_id=party.pk, to=other, by=one)
    assert reload(party).leader_id == other
    with refused("not_leader") as refusal:
        parties.hand_over(party_id=party.pk, to=one, by=one)
    assert refusal.value.extra == {"leader": other}
    with refused("not_leader"):
        parties.remove_member(party_id=party.pk, member=other, by=one)


def test_strangers_can_neither_act_nor_be_acted_upon() -> None:
    hall = make_team_hall()
    party = gather(hall, 0)
    own, stranger = hall.players[0].pk, hall.players[3].pk
    with refused("not_in_party"):
        leave(hall, party, 3)
    for member, by in ((stranger, own), (own, stranger)):
        with refused("not_in_party"):
            parties.remove_member(party_id=party.pk, member=member, by=by)
        with refused("not_in_party"):
            parties.hand_over(party_id=party.pk, to=member, by=by)
    assert members(hall, party) == [0]


def test_an_operator_dissolves_a_party() -> None:
    hall = make_team_hall()
    party, operator = gather(hall, 0, 1), User.objects.create_user("operator")
    ticket = search_together(hall, party)
    parties.dissolve(party_id=party.pk, by=operator, note="asked for")
    assert reload(party).ended_at is not None
    ticket.refresh_from_db()
    assert ticket.state == TicketState.CANCELLED
    entry = AuditEntry.objects.get(action="party.dissolved")
    assert (entry.actor, entry.note) == (operator, "asked for")
    assert entry.before == {
        "leader": hall.players[0].pk,
        "members": [player.pk for player in hall.players[:2]],
    }
    check_parties()


def commit(act: Callable[[], object]) -> None:
    """Do something, and check what is checked when a transaction commits; undone where that fails."""
    with transaction.atomic():
        act()
        connection.check_constraints()


CHANGES = {
    "join": lambda hall, party: parties.join_party(player=hall.players[2], code=party.code),
    "leave": lambda hall, party: leave(hall, party, 1),
    "remove": lambda hall, party: parties.remove_member(
        party_id=party.pk, member=hall.players[1].pk, by=party.leader_id
    ),
    "hand_over": lambda hall, party: parties.hand_over(
        party_id=party.pk, to=hall.players[1].pk, by=party.leader_id
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_ends_the_search_first(change: str) -> None:
    hall = make_team_hall(size=3)
    party = gather(hall, 0, 1)
    ticket = search_together(hall, party)
    CHANGES[change](hall, party)
    ticket.refresh_from_db()
    assert ticket.state == TicketState.CANCELLED
    check_parties()
    search_together(hall, reload(party))
    check_parties()


def test_a_refused_change_ends_no_search() -> None:
    hall = make_team_hall()
    party = gather(hall, 0, 1)
    gather(hall, 2)
    ticket = search_together(hall, party)
    with refused("party_full"):
        parties.join_party(player=hall.players[3], code=party.code)
    with refused("not_leader"):
        parties.hand_over(party_id=party.pk, to=party.leader_id, by=hall.players[1].pk)
    parties.hand_over(party_id=party.pk, to=party.leader_id, by=party.leader_id)  # changes nothing
    ticket.refresh_from_db()
    assert ticket.state == TicketState.WAITING


def test_a_change_declines_what_is_offered() -> None:
    hall = make_team_hall()
    ours, theirs = gather(hall, 0, 1), gather(hall, 2, 3)
    own, other = search_together(hall, ours), search_together(hall, theirs)
    assert sweep.run_queue(hall.queue.pk).offers == 1
    offers.accept(ticket_id=other.pk)
    leave(hall, ours, 1)
    own.refresh_from_db()
    other.refresh_from_db()
    assert (own.state, other.state) == (TicketState.CANCELLED, TicketState.WAITING)
    assert Offer.objects.get().state == "declined"


def test_the_leader_who_sends_somebody_away_declines_what_is_offered() -> None:
    hall = make_team_hall()
    ours, theirs = gather(hall, 0, 1), gather(hall, 2, 3)
    search_together(hall, ours), search_together(hall, theirs)
    assert sweep.run_queue(hall.queue.pk).offers == 1
    CHANGES["remove"](hall, ours)
    assert Offence.objects.get().player == hall.players[0]


def test_nobody_comes_while_a_match_is_offered() -> None:
    hall = make_team_hall(size=3)
    ours, theirs = gather(hall, 0, 1), gather(hall, 3, 4)
    own = search_together(hall, ours)
    for party in (theirs, gather(hall, 2), gather(hall, 5)):
        search_together(hall, party)
    assert sweep.run_queue(hall.queue.pk).offers == 1
    with refused("party_offered"):
        parties.join_party(player=hall.players[6], code=ours.code)
    own.refresh_from_db()
    assert own.state == TicketState.OFFERED


def test_a_match_that_was_faster_is_told_and_stays() -> None:
    hall = make_team_hall()
    tickets = [search_together(hall, gather(hall, one, one + 1)) for one in (0, 2)]
    party = Party.objects.earliest("pk")
    sweep.run_queue(hall.queue.pk)
    for ticket in tickets:
        offers.accept(ticket_id=ticket.pk)
    assert Participant.objects.filter(playing=True).count() == 4
    leave(hall, party, 1)  # the search is over: the party is free to change
    assert Participant.objects.filter(playing=True).count() == 4
    check_parties()


def test_the_database_holds_who_leads() -> None:
    hall = make_team_hall()
    party = gather(hall, 0, 1)
    seats = PartyMember.objects.filter(party=party)
    wrong = {
        "the leader goes": lambda: seats.filter(player=party.leader_id).update(live=False),
        "a stranger leads": lambda: Party.objects.update(leader=hall.players[3]),
        "members of an ended party": lambda: Party.objects.update(ended_at=clock.now()),
    }
    for act in wrong.values():
        with pytest.raises(IntegrityError):
            commit(act)
    assert members(hall, party) == [0, 1]
