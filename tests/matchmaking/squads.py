"""A hall whose ladder is played in teams, and parties of its players."""

from typing import Any

from foundation import clock
from matchmaking.models import Party, PartyMember, Ticket
from matchmaking.parties import lifecycle as parties
from matchmaking.tickets import lifecycle
from tests.matchmaking.hall import Hall, make_hall

__all__ = ["check_parties", "gather", "make_team_hall", "members", "search_together"]


def make_team_hall(players: int = 8, *, size: int = 2, **options: Any) -> Hall:
    """A hall with two teams of `size` in a match."""
    hall = make_hall(players, **options)
    hall.ladder.team_size = size
    hall.ladder.save(update_fields=["team_size"])
    return hall


def gather(hall: Hall, leader: int, *others: int) -> Party:
    """Let these players be in a party."""
    with clock.at(hall.now):
        party = parties.open_party(player=hall.players[leader])
        for number in others:
            parties.join_party(player=hall.players[number], code=party.code)
    return party


def search_together(hall: Hall, party: Party) -> Ticket:
    """Let the leader search for all, by the real clock."""
    leader = next(player for player in hall.players if player.pk == party.leader_id)
    return lifecycle.join(queue=hall.queue, player=leader, party=party)


def members(hall: Hall, party: Party) -> list[int]:
    """Who is in a party, by number, the longest member first."""
    numbers = {player.pk: number for number, player in enumerate(hall.players)}
    seats = PartyMember.objects.filter(party=party, live=True).order_by("pk")
    return [numbers[pk] for pk in seats.values_list("player", flat=True)]


def check_parties() -> None:
    """What holds at any moment, between any two transactions."""
    for party in Party.objects.prefetch_related("members"):
        inside = {member.player_id for member in party.members.all() if member.live}
        assert bool(inside) == (party.ended_at is None)
        assert not inside or party.leader_id in inside
    for ticket in Ticket.objects.filter(members__live=True, party__isnull=False).distinct():
        searching = set(ticket.members.values_list("player", flat=True))
        seats = PartyMember.objects.filter(party=ticket.party_id, live=True)
        assert searching == set(seats.values_list("player", flat=True))
