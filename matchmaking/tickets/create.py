"""Beginning a search: who may, and what is written. In a transaction of the caller, see `tickets.lifecycle`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foundation import clock
from matchmaking.models import Queue, Ticket, TicketMember
from matchmaking.offers.close import playing_of, tell_players
from matchmaking.parties.membership import hold_party
from matchmaking.queues.settings import settings_of
from matchmaking.refusals import (
    AlreadySearchingError,
    MemberDisputesError,
    MemberPlayingError,
    MemberSearchingError,
    NotInPartyError,
    NotLeaderError,
    PartyTooLargeError,
    QueueClosedError,
    TooManyDisputesError,
    WrongGameError,
    WrongWishesError,
)
from matchmaking.tickets.preferences import WrongWishes, read_character, read_roles, read_wishes
from ratings.disputes import kept_out
from ratings.matches.start import AlreadyPlayingError
from ratings.models import Game, Mode, Player

__all__ = ["Application", "Choice", "begin_search"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What one player has chosen for the match: a character, and roles to take; empty: any.

    `path` is where this stands in what was given: errors name it.
    """

    character: str = ""
    roles: Sequence[str] = ()
    path: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Application:
    """Who wants to search where; with a party, for all of it. `choices` by player id."""

    queue_id: int
    player: Player
    party_id: int | None
    wishes: Mapping[str, Any]
    choices: Mapping[int, Choice]


def begin_search(asked: Application) -> Ticket:
    """Write the ticket. Raises what `lifecycle.join` does, and IntegrityError for whoever was slower."""
    players = _members(asked)
    queue = Queue.objects.select_related("ladder__game").get(pk=asked.queue_id)
    _check(queue, asked, players)
    ticket = _insert(queue, asked, players)
    # Only now: a match that was about to begin has kept the insertion waiting.
    _check_nobody_plays(asked.player, players)
    tell_players(queue.ladder.game_id, players, "ticket.waiting", ticket=ticket.pk)
    return ticket


def _members(asked: Application) -> list[int]:
    """Who searches together, who asked first. Holds the party: nobody comes or goes meanwhile."""
    if asked.party_id is None:
        for player in asked.choices:
            if player != asked.player.pk:
                raise NotInPartyError(player)
        return [asked.player.pk]
    held = hold_party(asked.party_id)
    for player in (asked.player.pk, *asked.choices):
        if player not in held.players:
            raise NotInPartyError(player)
    if held.leader != asked.player.pk:
        raise NotLeaderError(held.leader)
    return [held.leader, *(pk for pk in held.players if pk != held.leader)]


def _check(queue: Queue, asked: Application, players: Sequence[int]) -> None:
    if not queue.is_open:
        raise QueueClosedError(queue.slug)
    if queue.ladder.game_id != asked.player.game_id:
        raise WrongGameError(asked.player.pk)
    if len(players) > queue.ladder.team_size:
        raise PartyTooLargeError(len(players), queue.ladder.team_size)
    _check_nobody_searches(asked.player, players)
    _check_nobody_plays(asked.player, players)
    if queue.ladder.mode == Mode.RANKED:
        _check_disputes(queue.ladder.game, asked.player, players)


def _check_nobody_searches(asking: Player, players: Sequence[int]) -> None:
    live = TicketMember.objects.filter(player__in=players, live=True)
    tickets = dict(live.values_list("player", "ticket"))
    if (own := tickets.get(asking.pk)) is not None:
        raise AlreadySearchingError(own)
    for player, ticket in tickets.items():
        raise MemberSearchingError(_name_of(player), player, ticket)


def _check_nobody_plays(asking: Player, players: Sequence[int]) -> None:
    matches = playing_of(players)
    if (own := matches.get(asking.pk)) is not None:
        raise AlreadyPlayingError(asking.pk, own)
    for player, match in matches.items():
        raise MemberPlayingError(_name_of(player), player, match)


def _check_disputes(game: Game, asking: Player, players: Sequence[int]) -> None:
    disputes, limit = kept_out(game, players), game.disputes_at_most
    if (own := disputes.get(asking.pk)) is not None:
        raise TooManyDisputesError(own, limit)
    for player, matches in disputes.items():
        raise MemberDisputesError(_name_of(player), player, matches, limit)


def _name_of(player_id: int) -> str:
    return Player.objects.get(pk=player_id).name


def _insert(queue: Queue, asked: Application, players: Sequence[int]) -> Ticket:
    wishes, members = _read(queue, asked, players)
    now = clock.now()
    ticket = Ticket.objects.create(
        queue=queue, party_id=asked.party_id, wishes=wishes, waiting_since=now, seen_at=now
    )
    for member in members:
        member.ticket = ticket
    TicketMember.objects.bulk_create(members)
    return ticket


def _read(
    queue: Queue, asked: Application, players: Sequence[int]
) -> tuple[dict[str, Any], list[TicketMember]]:
    """What is wished and chosen, in the form that is kept."""
    settings = settings_of(queue)
    nothing = Choice()
    try:
        wishes = read_wishes(asked.wishes, settings)
        members = []
        for player in players:
            choice = asked.choices.get(player, nothing)
            members.append(
                TicketMember(
                    player_id=player,
                    character=read_character(choice.character, (*choice.path, "character")),
                    roles=read_roles(choice.roles, settings, (*choice.path, "roles")),
                )
            )
    except WrongWishes as error:
        raise WrongWishesError(error.wrong) from None
    return wishes, members
