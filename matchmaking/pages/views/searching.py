"""Searching from the pages: alone or for a whole party, with what each of its members wants."""

from matchmaking.models import Queue, Ticket
from matchmaking.parties.own_party import PartySeen, own_party
from matchmaking.tickets import lifecycle
from matchmaking.tickets.saved_preferences import choices_of, wanted_by
from ratings.models import Player

__all__ = ["search"]


def search(*, queue: Queue, player: Player) -> Ticket:
    """Begin to search with what was wanted last; where matches are of teams, for the player's whole party.

    Raises what `matchmaking.tickets.lifecycle.join` does.
    """
    wanted = wanted_by(player.pk, queue)
    party = own_party(player.pk) if queue.ladder.team_size > 1 else None
    return lifecycle.join(
        queue=queue,
        player=player,
        party=party.id if party else None,
        wishes=wanted.wishes,
        character=wanted.character,
        roles=wanted.roles,
        others=choices_of(_others(party, player), queue),
    )


def _others(party: PartySeen | None, player: Player) -> list[int]:
    return [one.pk for one in party.members if one.pk != player.pk] if party else []
