"""A player's party, as its members see it: for pages and the API. Holds no ratings."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from matchmaking.models import Party, PartyMember, Ticket
from matchmaking.models.tickets import LIVE
from matchmaking.parties.membership import largest_party, party_of
from ratings.models import Player

__all__ = ["PartySeen", "own_party", "parties_seen", "party_seen"]


@dataclass(frozen=True, slots=True)
class PartySeen:
    """A party now.

    members  the longest member first; nobody once it has ended
    largest  how many it may have
    ticket   the search that runs for it; None for none
    """

    id: int
    game_id: int
    code: str
    leader_id: int
    members: Sequence[Player]
    largest: int
    ticket: Ticket | None
    created_at: datetime
    ended_at: datetime | None

    @property
    def is_full(self) -> bool:
        """Whether nobody else may come."""
        return len(self.members) >= self.largest

    @property
    def leader(self) -> Player | None:
        """Who searches for all; None once it has ended."""
        return next((one for one in self.members if one.pk == self.leader_id), None)

    @property
    def shown(self) -> tuple[object, ...]:
        """What a page shows of it: other values, another page."""
        names = [(one.pk, one.name) for one in self.members]
        ticket_id = self.ticket.pk if self.ticket else None
        return self.id, self.code, self.leader_id, names, self.largest, ticket_id


def own_party(player_id: int) -> PartySeen | None:
    """The live party of a player; None without one. Four queries at most."""
    party = party_of(player_id)
    return party_seen(party) if party else None


def party_seen(party: Party) -> PartySeen:
    """A party as it is now, read by the caller. Three queries."""
    return parties_seen([party])[0]


def parties_seen(parties: Sequence[Party]) -> list[PartySeen]:
    """Parties of one game as they are now, read by the caller. Three queries."""
    if not parties:
        return []
    largest = largest_party(parties[0].game_id)
    members: defaultdict[int, list[Player]] = defaultdict(list)
    memberships = PartyMember.objects.filter(party__in=parties, live=True).order_by("pk")
    for membership in memberships.select_related("player"):
        members[membership.party_id].append(membership.player)
    live = Ticket.objects.filter(party__in=parties, state__in=LIVE)
    searches = {ticket.party_id: ticket for ticket in live.select_related("queue__ladder")}
    return [
        PartySeen(
            id=party.pk,
            game_id=party.game_id,
            code=party.code,
            leader_id=party.leader_id,
            members=members[party.pk],
            largest=largest,
            ticket=searches.get(party.pk),
            created_at=party.created_at,
            ended_at=party.ended_at,
        )
        for party in parties
    ]
