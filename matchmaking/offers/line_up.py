"""Who is offered to play with whom, as one of them sees it: the characters of opponents stay hidden."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from matchmaking.models import OfferTicket, TicketMember
from ratings.models import Player

__all__ = ["MemberSeen", "line_ups", "members_of"]


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
    for member in members.order_by("pk"):
        found[member.ticket_id].append(_seen(member))
    return found


def line_ups(
    seats: Mapping[int, OfferTicket],
    offers: Mapping[int, Sequence[OfferTicket]],
    members: Mapping[int, list[MemberSeen]],
) -> dict[int, list[list[MemberSeen]]]:
    """The teams of the offers that tickets have, by ticket, first team first.

    seats    where each ticket sits
    offers   everybody's seats, by offer
    members  everybody, by ticket
    """
    return {pk: _teams(offers[seat.offer_id], seat.team, members) for pk, seat in seats.items()}


def _teams(
    rows: Sequence[OfferTicket], own: int, members: Mapping[int, list[MemberSeen]]
) -> list[list[MemberSeen]]:
    teams: list[list[MemberSeen]] = [[] for _ in range(1 + max(row.team for row in rows))]
    for row in rows:
        teams[row.team] += [
            one if row.team == own else MemberSeen(one.player, None)
            for one in members[row.ticket_id]
        ]
    return teams


def _seen(member: TicketMember) -> MemberSeen:
    return MemberSeen(member.player, member.character, tuple(member.roles))
