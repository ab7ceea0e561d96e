"""Who the caller is, and what it is in the middle of."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.scopes import Scope
from api.serializers.games import Answer
from api.serializers.players import PlayerRefShape, ref_of
from api.serializers.tickets import TicketShape, ticket_of
from api.views.base import ApiView
from foundation.transactions import from_one_snapshot
from matchmaking.models.tickets import LIVE
from matchmaking.offers.line_up import members_of
from matchmaking.parties.membership import party_of
from matchmaking.tickets.lifecycle import beat
from matchmaking.tickets.status import Search, current_match, search_of
from ratings.models import Player

__all__ = ["MeView"]


class MeShape(serializers.Serializer[Any]):
    """The caller."""

    game = serializers.CharField(help_text="Short name of the game.")
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values))
    player = PlayerRefShape(allow_null=True, help_text="Of a token; null for a server.")
    party = serializers.IntegerField(
        allow_null=True, help_text="Id of the party that the player is in."
    )
    ticket = TicketShape(allow_null=True, help_text="The player's live ticket.")
    match = serializers.IntegerField(
        allow_null=True, help_text="The match that the player is in and has not reported."
    )


class MeView(ApiView):
    """The caller."""

    access = {"GET": needs(*Scope)}
    tag = "Queues and tickets"

    @extend_schema(summary="Who am I", responses=MeShape)
    def get(self, request: Request) -> Response:
        """What this key or token is for. With a token also the player's live ticket, party and match: all that a game
        client needs after a restart. With the scope `play` asking is a sign of life.
        """
        player, game = self.caller.player, self.caller.game
        doing = self._doing(player) if player else {"party": None, "ticket": None, "match": None}
        if doing["ticket"] and self.caller.may([Scope.PLAY]):
            beat(doing["ticket"]["id"])
        return Response(
            {
                "game": game.slug if game else "",
                "scopes": sorted(self.caller.scopes),
                "player": ref_of(player, self.caller) if player else None,
                **doing,
            }
        )

    @from_one_snapshot
    def _doing(self, player: Player) -> Answer:
        """What the player is in the middle of."""
        search, party, match = search_of(player.pk), party_of(player.pk), current_match(player.pk)
        is_live = search is not None and search.state in LIVE
        return {
            "party": party.pk if party else None,
            "ticket": self._ticket(search) if search and is_live else None,
            "match": match.pk if match else None,
        }

    def _ticket(self, search: Search) -> Answer:
        players = members_of([search.ticket_id])[search.ticket_id]
        return ticket_of(search, players, self.caller)
