"""Who of those that wait in a queue for two could meet: worked out again, one by one, as the spec says it."""

from datetime import datetime
from itertools import combinations

from matchmaking.models import Avoided, Offence, Queue, Ticket, TicketState
from people.models import Block
from ratings.models import Participant, Rating
from tests.matchmaking.machine.world import World

__all__ = ["left_together"]

_AMONG_LIKE = 40  # seconds


def left_together(world: World, queue: Queue) -> list[tuple[int, int]]:
    """Pairs of players, by number, who wait and accept each other. Not those who are silent or play already."""
    waiting = Ticket.objects.filter(queue=queue, state=TicketState.WAITING)
    playing = set(Participant.objects.filter(playing=True).values_list("player", flat=True))
    tickets = {
        world.number(player): ticket
        for ticket in waiting
        for player in ticket.members.values_list("player", flat=True)
        if player not in playing and not _is_silent(ticket, queue, world.now)
    }
    avoided = {
        (world.number(one), world.number(other))
        for one, other in [
            *Avoided.objects.values_list("player", "avoided"),
            *Block.objects.values_list("player", "blocked"),
        ]
    }
    bad = {number: _is_bad(world, number) for number in tickets}
    shown = Rating.objects.filter(track__ladder=queue.ladder_id, track__shown=True)
    rating = {world.number(player): value for player, value in shown.values_list("player", "value")}
    return [
        (one, other)
        for one, other in combinations(sorted(tickets), 2)
        if not {(one, other), (other, one)} & avoided
        and _speak(queue, tickets[one], tickets[other])
        and not any(
            bad[a] and not bad[b] and _waited(tickets[a], world.now) < _AMONG_LIKE
            for a, b in ((one, other), (other, one))
        )
        and abs(rating[one] - rating[other])
        <= min(_accepts(queue, tickets[it], world.now) for it in (one, other))
    ]


def _is_bad(world: World, number: int) -> bool:
    """Whether a player has so many points that it meets players like itself first."""
    own = Offence.objects.filter(player=world.players[number], taken_back_at=None)
    days = [
        (points, (world.now - at).total_seconds() / 86_400)
        for points, at in own.values_list("points", "at")
    ]
    return bool(sum(points * 0.5 ** (max(since, 0) / 14) for points, since in days) >= 1)


def _waited(ticket: Ticket, now: datetime) -> float:
    return (now - ticket.waiting_since).total_seconds()


def _is_silent(ticket: Ticket, queue: Queue, now: datetime) -> bool:
    return (now - ticket.seen_at).total_seconds() > queue.heartbeat_seconds


def _accepts(queue: Queue, ticket: Ticket, now: datetime) -> float:
    """Rating points between a player and another."""
    widened = queue.gap_start + queue.gap_per_second * _waited(ticket, now)
    return widened if queue.gap_cap is None else min(widened, queue.gap_cap)


def _speak(queue: Queue, one: Ticket, other: Ticket) -> bool:
    """Whether two have a language in common, where that is asked for; who names none speaks with everyone."""
    if "language" not in queue.settings:
        return True
    mine, theirs = (set(it.wishes.get("languages", [])) for it in (one, other))
    return not mine or not theirs or bool(mine & theirs)
