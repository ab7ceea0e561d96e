"""What the page of all queues shows: tickets and matches of each queue, and the visitor's players."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count

from accounts.models import User
from foundation.postgresql.rows import BuiltOnce
from matchmaking.models import Queue, TicketMember
from matchmaking.models.tickets import LIVE, Ticket
from matchmaking.queues.wait_estimates import Estimate, estimates
from ratings.models import OPEN, Game, Match, Participant, Player, Sanction, SuspendedFrom
from ratings.sanctions import keep_from, told_to

__all__ = ["QueueCard", "cards_of_queues", "my_players", "open_queues", "queues_by_game"]


_open_queues = BuiltOnce(
    lambda: (
        Queue.objects.in_use()
        .filter(is_open=True)
        .select_related("ladder__game")
        .order_by("ladder__game__name", "ladder__game_id", "-ladder__mode", "name")
    )
)


@dataclass(frozen=True, slots=True)
class QueueCard:
    """A queue with its figures of now: tickets waiting, matches of its ladder that go on, usual waits.

    A match goes on until it is decided: that one side has said how it went ends it for nobody.
    """

    queue: Queue
    waiting: int
    playing: int
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class MyPlayer:
    """A player of an account. `queue` is where it searches, `match_id` what it plays; None for neither.

    `sanctions`: those it is told of.
    """

    player: Player
    queue: Queue | None
    match_id: int | None
    sanctions: Sequence[Sanction]

    @property
    def may_search(self) -> bool:
        """Whether no sanction keeps the player from it."""
        return not keep_from(self.sanctions, SuspendedFrom.SEARCHING)


@dataclass(frozen=True, slots=True)
class GameQueues:
    """A game, its open queues, and the visitor's player in it. `is_lent`: the visitor has none, as that is merged into
    another account's.
    """

    game: Game
    cards: list[QueueCard]
    mine: MyPlayer | None
    is_lent: bool = False


def open_queues() -> list[Queue]:
    """Queues that take tickets, by game, ranked ones first. One query."""
    return _open_queues()


def cards_of_queues(
    queues: Iterable[Queue], known: dict[int, Estimate] | None = None
) -> list[QueueCard]:
    """A card for each queue; `known` are estimates read already. Three queries at most, whatever their number."""
    by_id = {queue.pk: queue for queue in queues}
    tickets = Ticket.objects.filter(queue__in=by_id, state__in=LIVE).values_list("queue")
    waiting = dict(tickets.annotate(Count("pk")).order_by())
    ladders = {queue.ladder_id for queue in by_id.values()}
    matches = Match.objects.filter(ladder__in=ladders, state__in=OPEN)
    playing = dict(matches.values_list("ladder").annotate(Count("pk")).order_by())
    waits = known if known is not None else estimates(by_id)
    return [
        QueueCard(queue, waiting.get(pk, 0), playing.get(queue.ladder_id, 0), waits[pk])
        for pk, queue in by_id.items()
    ]


def my_players(user: User) -> list[MyPlayer]:
    """The account's players, each with its search, its match and its sanctions. Four queries."""
    players = list(Player.objects.filter(user=user).select_related("game").order_by("game__name"))
    ids = [player.pk for player in players]
    members = TicketMember.objects.filter(live=True, player__in=ids)
    searches = {
        member.player_id: member.ticket.queue
        for member in members.select_related("ticket__queue__ladder")
    }
    playing = Participant.objects.filter(playing=True, player__in=ids)
    matches = dict(playing.values_list("player_id", "match_id"))
    sanctions: dict[int, list[Sanction]] = {}
    for sanction in told_to(*players):
        sanctions.setdefault(sanction.player_id, []).append(sanction)
    return [
        MyPlayer(
            player,
            searches.get(player.pk),
            matches.get(player.pk),
            sanctions.get(player.pk, []),
        )
        for player in players
    ]


def queues_by_game(
    cards: Iterable[QueueCard], mine: Iterable[MyPlayer], lent: Collection[int] = ()
) -> list[GameQueues]:
    """The cards by game, in their order. `lent`: see `lent_games`."""
    own = {one.player.game_id: one for one in mine}
    by_game: dict[int, GameQueues] = {}
    for card in cards:
        game = card.queue.ladder.game
        entry = by_game.setdefault(game.pk, GameQueues(game, [], own.get(game.pk), game.pk in lent))
        entry.cards.append(card)
    return list(by_game.values())
