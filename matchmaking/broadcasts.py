"""What streams are told of tickets, offers and parties: their players, and the servers of their game."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from events.kinds import Kind
from events.live import Message, broadcast, broadcast_all

__all__ = [
    "Addressee",
    "broadcast_ticket",
    "broadcast_tickets",
    "broadcast_to_players",
    "message_to_ticket",
    "topics_of",
]


@dataclass(frozen=True, slots=True)
class Addressee:
    """A player who gets a message, and the ticket and offer that it is about; `offer_id` 0: none."""

    game_id: int
    queue_id: int
    ticket_id: int
    player_id: int
    offer_id: int


def broadcast_to_players(game_id: int, player_ids: Iterable[int], kind: Kind, **ids: int) -> None:
    """Broadcast to the streams of these players of a game, and to those of its servers."""
    broadcast(topics_of(game_id, player_ids), kind, **ids)


def topics_of(game_id: int, player_ids: Iterable[int]) -> list[str]:
    """The streams of these players of a game, and those of its servers."""
    return [*(f"player:{pk}" for pk in player_ids), f"searches:{game_id}"]


def broadcast_tickets(addressees: Iterable[Addressee], kind: Kind) -> None:
    """Broadcast one message for each ticket: to its players, and to the servers of their game."""
    by_ticket: defaultdict[int, list[Addressee]] = defaultdict(list)
    for one in addressees:
        by_ticket[one.ticket_id].append(one)
    # By their numbers: the order in which a sweep has them reveals ratings.
    broadcast_all(
        message_to_ticket(
            kind,
            members[0].game_id,
            members[0].queue_id,
            ticket_id,
            members[0].offer_id,
            sorted(member.player_id for member in members),
        )
        for ticket_id, members in sorted(by_ticket.items())
    )


def broadcast_ticket(
    kind: Kind, game_id: int, queue_id: int, ticket_id: int, players: Iterable[int]
) -> None:
    """Broadcast one message to the players of a ticket that no offer is about, and to the servers of their game."""
    broadcast_all([message_to_ticket(kind, game_id, queue_id, ticket_id, 0, sorted(players))])


def message_to_ticket(
    kind: Kind, game_id: int, queue_id: int, ticket_id: int, offer_id: int, players: Sequence[int]
) -> Message:
    """What the players of a ticket, in the order of their ids, and the servers of their game are told."""
    topics = (*(f"player:{pk}" for pk in players), f"searches:{game_id}")
    ids = {"ticket": ticket_id, "queue": queue_id}
    if offer_id:
        ids["offer"] = offer_id
    return Message(topics, kind, ids, tuple(players))
