"""Beginning a search: who may, and what is written. In a transaction of the caller, see `tickets.lifecycle`."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from events.kinds import Kind
from foundation import clock
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import BuiltOnce
from matchmaking.broadcasts import broadcast_ticket
from matchmaking.conduct.standing import COOLING, check_not_cooling
from matchmaking.models import Queue, Ticket
from matchmaking.parties.membership import hold_party
from matchmaking.playing import playing_of
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
    UnknownQueueError,
    WrongGameError,
    WrongPreferencesError,
)
from matchmaking.tickets.characters import Choice, check_not_made_up, check_own, check_words
from matchmaking.tickets.places import wait_for_places
from matchmaking.tickets.preferences import (
    InvalidPreferences,
    read_character,
    read_preferences,
    read_roles,
)
from ratings.archiving import ArchivedError
from ratings.disputes import kept_out
from ratings.matches.start import AlreadyPlayingError
from ratings.models import Mode, Player, SuspendedFrom
from ratings.sanctions import SUSPENDED_NOW, SuspendedError, suspended

__all__ = ["Application", "Choice", "begin_search", "check_with"]

# Called with who asks and with all who would search.
_checks: list[Callable[[int, Sequence[int]], object]] = []


_queue = BuiltOnce(lambda pk: Queue.objects.select_related("ladder__game").filter(pk=pk), int)
_INSERT = """
WITH ticket AS (
    INSERT INTO matchmaking_ticket (queue_id, state, waiting_since, seen_at, touched_at, party_id, wishes,
                                    wants_partner)
    VALUES (%(queue)s, 'waiting', %(now)s, %(now)s, %(touched)s::timestamptz, %(party)s, %(wishes)s::jsonb,
            %(wants_partner)s)
    RETURNING id
), members AS (
    INSERT INTO matchmaking_ticketmember (ticket_id, player_id, reported_as_id, live, character, roles)
    SELECT ticket.id, player, CASE WHEN ordinality = 1 THEN %(reported_as)s::bigint END, true, character, roles
    FROM ticket, unnest(%(players)s::bigint[], %(characters)s::text[], %(roles)s::jsonb[])
        WITH ORDINALITY AS member (player, character, roles, ordinality)
    ORDER BY ordinality
)
SELECT id FROM ticket
"""
# Searches that are live, and who may not search: by a sanction, or because it cools off.
_IN_THE_WAY = f"""
SELECT player_id, ticket_id, 'ticket' FROM matchmaking_ticketmember WHERE player_id = ANY(%(players)s) AND live
UNION ALL
SELECT sanction.player_id, sanction.id, 'sanction' FROM ratings_sanction AS sanction
WHERE sanction.player_id = ANY(%(players)s) AND sanction.suspended_from IN ('searching', 'all') AND {SUSPENDED_NOW}
UNION ALL
SELECT standing.player_id, 0, 'cooling' FROM matchmaking_conductstanding AS standing
WHERE standing.player_id = ANY(%(players)s) AND {COOLING}
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Application:
    """Who wants to search where; with a party, for all of it. `choices` by player id. The queue is read anew.

    by_page  asked on a page, which tells whether somebody is there; programs need not
    wants_partner  of the game, if nobody comes
    """

    queue: Queue
    player: Player
    party_id: int | None
    preferences: Mapping[str, Any]
    choices: Mapping[int, Choice]
    by_page: bool = False
    wants_partner: bool = False


def check_with(check: Callable[[int, Sequence[int]], object]) -> None:
    """Let an app above refuse searches of players who have a place elsewhere. Called from an app's `ready()`.

    It is asked when the ticket is written and nobody else holds the players (`places`); it raises RefusedError.
    """
    _checks.append(check)


def begin_search(asked: Application, now: datetime) -> Ticket:
    """Write the ticket. Raises what `lifecycle.join` does, and IntegrityError for whoever was slower."""
    # Who searches together, who asked first. A party is held: nobody comes or goes meanwhile.
    first = asked.player.pk
    held = None if asked.party_id is None else hold_party(asked.party_id)
    together = [first] if held is None else held.players
    for player in (first, *asked.choices):
        if player not in together:
            raise NotInPartyError(player)
    if held is not None and held.leader != first:
        raise NotLeaderError(held.leader)
    players = [first, *(pk for pk in together if pk != first)]
    queue = next(iter(_queue(asked.queue.pk)), None)
    if queue is None:
        raise UnknownQueueError(asked.queue.slug)
    _check(queue, asked, players)
    settings, nothing = settings_of(queue), Choice()
    characters: list[str] = []
    roles: list[str] = []
    try:
        preferences = read_preferences(asked.preferences, settings)
        for player in players:
            choice = asked.choices.get(player, nothing)
            path = (*choice.path, "character")
            characters.append(read_character(choice.character, path))
            check_words(queue, characters[-1], path)
            chosen = read_roles(choice.roles, settings, (*choice.path, "roles"))
            roles.append(json.dumps(chosen))
    except InvalidPreferences as error:
        raise WrongPreferencesError(error.wrong) from None
    named = dict(zip(players, characters, strict=True))
    check_own(queue, named, asked.choices)
    check_not_made_up(queue, first, named[first])
    given: dict[str, Any] = {
        "queue": queue.pk,
        "now": now,
        "touched": now if asked.by_page else None,
        "party": asked.party_id,
        "wishes": json.dumps(preferences),
        "wants_partner": asked.wants_partner,
        "players": players,
        "reported_as": asked.player.named_as,
        "characters": characters,
        "roles": roles,
    }
    with prepared() as cursor:
        cursor.execute(_INSERT, given)
        (ticket_id,) = cursor.fetchone()
    # Only now: a match that was about to begin has kept the insertion waiting, and another place this.
    wait_for_places(players)
    _check_nobody_plays(asked.player, players)
    for check in _checks:
        check(first, players)
    broadcast_ticket(Kind.TICKET_WAITING, queue.ladder.game_id, queue.pk, ticket_id, players)
    ticket = Ticket(
        id=ticket_id,
        queue=queue,
        party_id=asked.party_id,
        wishes=preferences,
        waiting_since=now,
        seen_at=now,
    )
    ticket._state.adding, ticket._state.db = False, connection.alias
    return ticket


def _check(queue: Queue, asked: Application, players: Sequence[int]) -> None:
    if queue.is_archived:
        raise ArchivedError(queue, queue=queue.slug)
    if not queue.is_open:
        raise QueueClosedError(queue.slug)
    if queue.ladder.game_id != asked.player.game_id:
        raise WrongGameError(asked.player.pk)
    if len(players) > queue.ladder.team_size:
        raise PartyTooLargeError(len(players), queue.ladder.team_size)
    tickets = _searching(asked, players)
    if (own := tickets.get(asked.player.pk)) is not None:
        raise AlreadySearchingError(own)
    for player, ticket in tickets.items():
        raise MemberSearchingError(_name_of(player), player, ticket)
    _check_nobody_plays(asked.player, players)
    if queue.ladder.mode == Mode.RANKED:
        game = queue.ladder.game
        disputes, limit = kept_out(game, players), game.disputes_at_most
        if (matches := disputes.get(asked.player.pk)) is not None:
            raise TooManyDisputesError(matches, limit)
        for player, matches in disputes.items():
            raise MemberDisputesError(_name_of(player), player, matches, limit)


def _check_nobody_plays(asking: Player, players: Sequence[int]) -> None:
    matches = playing_of(players)
    if (own := matches.get(asking.pk)) is not None:
        raise AlreadyPlayingError(asking.pk, own)
    for player, match in matches.items():
        raise MemberPlayingError(_name_of(player), player, match)


def _name_of(player_id: int) -> str:
    return Player.objects.get(pk=player_id).name


def _searching(asked: Application, players: Sequence[int]) -> dict[int, int]:
    """Live tickets by player. Raises what keeps a player from searching."""
    with prepared() as cursor:
        cursor.execute(_IN_THE_WAY, {"players": list(players), "at": clock.replaced()})
        found = cursor.fetchall()
    if any(kind == "sanction" for _player, _id, kind in found):
        sanctions = suspended(players, SuspendedFrom.SEARCHING)
        for player in (pk for pk in players if pk in sanctions):
            raise SuspendedError(sanctions[player], is_own=player == asked.player.pk)
    if any(kind == "cooling" for _player, _id, kind in found):
        check_not_cooling(players, own=asked.player.pk)
    return {player: ticket for player, ticket, kind in found if kind == "ticket"}
