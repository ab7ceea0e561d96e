"""Who is on tickets, and the teams of an offer as one of its players sees them: opponents' characters stay hidden."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from matchmaking.models import OfferTicket, TicketMember
from ratings.models import Player

__all__ = ["MemberSeen", "chosen_and_named", "line_ups", "members_of"]


@dataclass(frozen=True, slots=True)
class MemberSeen:
    """A player of a ticket or an offer. `character` is empty for none chosen, and None where it is hidden."""

    player: Player
    character: str | None
    roles: tuple[str, ...] = ()


def members_of(ticket_ids: Collection[int]) -> dict[int, list[MemberSeen]]:
    """The players of tickets, as they see themselves; who searches for a party comes first. One query."""
    found: dict[int, list[MemberSeen]] = {pk: [] for pk in ticket_ids}
    members = TicketMember.objects.filter(ticket__in=found).select_related("player")
    for one in members.order_by("pk"):
        found[one.ticket_id].append(MemberSeen(one.player, one.character, tuple(one.roles)))
    return found


def line_ups(
    own: Mapping[int, OfferTicket],
    offers: Mapping[int, Sequence[OfferTicket]],
    members: Mapping[int, list[MemberSeen]],
) -> dict[int, list[list[MemberSeen]]]:
    """The teams of the offers that tickets have, by ticket, first team first.

    own      each ticket in its offer
    offers   all tickets of each offer
    members  the players of all of them, by ticket
    """
    found = {}
    for pk, mine in own.items():
        rows = offers[mine.offer_id]
        teams: list[list[MemberSeen]] = [[] for _ in range(1 + max(row.team for row in rows))]
        for row in rows:
            is_own = row.team == mine.team
            teams[row.team] += [
                one if is_own else MemberSeen(one.player, None) for one in members[row.ticket_id]
            ]
        found[pk] = teams
    return found


def chosen_and_named(ticket_ids: Collection[int]) -> tuple[dict[int, str], dict[int, int]]:
    """What the players of these tickets chose before the search, by player, without those who chose nothing; and under
    which merged players some of the searches came. One query.
    """
    members = TicketMember.objects.filter(ticket__in=ticket_ids)
    told = members.exclude(character="", reported_as=None)
    rows = list(told.values_list("player", "character", "reported_as"))
    characters = {player: character for player, character, _named in rows if character}
    return characters, {player: named for player, _character, named in rows if named}
