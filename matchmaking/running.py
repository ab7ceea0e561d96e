"""What a player is at in queues and parties: said in words, and ended, before another takes the player's place."""

from contextlib import suppress

from django.utils.translation import gettext as _

from foundation.refusals import RefusedError
from matchmaking.models import Ticket
from matchmaking.models.tickets import LIVE
from matchmaking.parties.lifecycle import leave_party
from matchmaking.parties.membership import party_of
from matchmaking.tickets.lifecycle import cancel
from ratings.models import Player

__all__ = ["end", "find"]


def find(player: Player) -> list[str]:
    """The player's search and party, each in words. Two queries."""
    words = [_("search in %(queue)s") % {"queue": it.queue.name} for it in _searches(player)]
    if (party := party_of(player.pk)) is not None:
        words.append(_("party %(number)d") % {"number": party.pk})
    return words


def end(player: Player) -> None:
    """Cancel the search and leave the party. A match that has just begun of the search is left to whoever asks."""
    for ticket in _searches(player):
        with suppress(RefusedError):
            cancel(ticket_id=ticket.pk)
    if (party := party_of(player.pk)) is not None:
        with suppress(RefusedError):
            leave_party(party_id=party.pk, player=player)


def _searches(player: Player) -> list[Ticket]:
    live = Ticket.objects.filter(members__player=player, members__live=True, state__in=LIVE)
    return list(live.select_related("queue"))
