"""The player that a caller acts for: its own for a player, any of its game for a server."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from api.auth.callers import Caller
from api.auth.people import game_served, player_of, players_of
from api.contract.problems import ProblemError
from foundation.postgresql.prepared import prepared
from foundation.postgresql.rows import BuiltOnce
from matchmaking.models import Party, PartyMember, Ticket
from ratings.archiving import ArchivedError
from ratings.models import Match, Player
from ratings.players.site_ids import DeletedPlayerError, deleted_among, refuse_deleted

__all__ = [
    "WHO_PROBLEMS",
    "check_ticket",
    "match_for",
    "owner_of",
    "participant_for",
    "participants_by_name",
    "parties_of",
    "party_for",
    "player_for",
    "tickets_of",
]

WHO_PROBLEMS = ("wrong_player_field", "unknown_player")  # the codes with which `player_for` refuses

_ticket_of_player = BuiltOnce(
    lambda ticket, player: Ticket.objects.filter(pk=ticket, members__player=player), int, int
)
_ticket_of_game = BuiltOnce(
    lambda ticket, game: Ticket.objects.filter(pk=ticket, queue__ladder__game=game), int, int
)
_PARTICIPANT = """
SELECT participant.player_id, meant.external_id, game.archived_at IS NOT NULL FROM ratings_player AS named
JOIN ratings_game AS game ON game.id = named.game_id
JOIN ratings_participant AS participant
    ON participant.match_id = %(match)s AND participant.player_id IN (named.id, named.merged_into_id)
JOIN ratings_player AS meant ON meant.id = participant.player_id
WHERE named.game_id = %(game)s AND named.external_id = %(player)s
"""
# Those who were merged into a participant are named as well as that one.
_BY_NAME = """
SELECT named.external_id, participant.player_id FROM ratings_participant AS participant
JOIN ratings_player AS named ON named.id = participant.player_id OR named.merged_into_id = participant.player_id
WHERE participant.match_id = %(match)s
"""


def player_for(caller: Caller, external_id: str | None) -> Player:
    """The player that a request is about; servers name it, players must not. Refuses with `wrong_player_field`, and
    with `unknown_player` whoever was deleted.
    """
    if caller.player is not None:
        if external_id is not None:
            words = _("A token acts for its own player: leave “player” out.")
            raise ProblemError("wrong_player_field", words)
        return caller.player
    if external_id is None:
        raise ProblemError("wrong_player_field", _("Name the player in “player”."))
    player = player_of(caller, external_id)
    if deleted_among(player.game, [external_id]):
        raise DeletedPlayerError(external_id)
    refuse_deleted(player)
    return player


def check_ticket(caller: Caller, ticket_id: int) -> None:
    """Refuse what is not a ticket of the caller's, with Http404."""
    if caller.player is not None:
        found = _ticket_of_player(ticket_id, caller.player.pk)
    else:
        found = _ticket_of_game(ticket_id, caller.game_id or 0)
    if not found:
        raise Http404


def owner_of(caller: Caller) -> dict[str, int | None]:
    """Whose tickets those are, as `matchmaking.tickets.status` asks: the player's, or without one the game's."""
    return {"player_id": caller.player.pk if caller.player else None, "game_id": caller.game_id}


def tickets_of(caller: Caller) -> QuerySet[Ticket]:
    """The caller's tickets: a player's own, or those of a server's game."""
    if caller.player is not None:
        return Ticket.objects.filter(members__player=caller.player)
    return Ticket.objects.filter(queue__ladder__game=caller.game)


def parties_of(caller: Caller) -> QuerySet[Party]:
    """The caller's live parties: a player's own, or those of a server's game."""
    # Who is in one now is indexed, and what has ended is left behind.
    members = PartyMember.objects.filter(live=True)
    if caller.player is not None:
        members = members.filter(player=caller.player)
    return Party.objects.filter(game=caller.game, pk__in=members.values("party"))


def party_for(caller: Caller, party_id: int) -> Party:
    """A party of the caller's: of its live members, and of servers of its game; Http404 for all others."""
    if caller.player is None:
        return get_object_or_404(Party, pk=party_id, game=caller.game)
    return get_object_or_404(Party, pk=party_id, members__player=caller.player, members__live=True)


def match_for(caller: Caller, match_id: int) -> int:
    """The id of a match of the caller's. Http404 for all others; ArchivedError where it is over, the game archived."""
    matches = Match.objects.filter(pk=match_id, game=caller.game)
    if caller.player is not None:
        matches = matches.filter(participants__player=caller.player)
    if not matches.named_by_server(caller.game_id or 0).exists():
        if caller.game is not None and matches.exists():
            raise ArchivedError(caller.game)
        raise Http404
    return match_id


def participant_for(caller: Caller, match_id: int, external_id: str | None) -> int:
    """The id of the player who speaks of a match; one query where all is well. Refuses as the two above do, whoever was
    deleted also where the match goes on.
    """
    if caller.player is None and external_id is not None:
        given = {"match": match_id, "game": caller.game_id, "player": external_id}
        with prepared() as cursor:
            cursor.execute(_PARTICIPANT, given)
            found = cursor.fetchone()
        if found is not None:
            player_id, meant, is_archived = found
            if is_archived:
                match_for(caller, match_id)
            for name in deleted_among(caller.game, {external_id, meant}):
                raise DeletedPlayerError(name)
            return int(player_id)
    match_for(caller, match_id)
    return player_for(caller, external_id).pk


def participants_by_name(
    caller: Caller, match_id: int, external_ids: Sequence[str]
) -> dict[str, int]:
    """The ids of a match's players by their ids in the game, and by those of players merged into them; nothing is read
    where none is named.

    Refuses with `not_in_match` and `unknown_player`, and whoever is no server with `missing_scope`.
    """
    game = game_served(caller)
    if not external_ids:
        return {}
    with prepared() as cursor:
        cursor.execute(_BY_NAME, {"match": match_id})
        players: dict[str, int] = dict(cursor.fetchall())
    if strangers := [name for name in external_ids if name not in players]:
        player = players_of(game, strangers)[strangers[0]].player
        words = _("Player “%(id)s” does not take part in the match.") % {"id": strangers[0]}
        raise ProblemError("not_in_match", words, player=player)
    return players
