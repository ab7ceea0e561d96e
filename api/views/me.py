"""Who the caller is, and what it is in the middle of."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.scopes import Scope
from api.contract.bodies import Body
from api.contract.fields import IdField
from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from api.serializers.searching.tickets import TicketShape
from api.views.base import ApiView
from foundation.postgresql.transactions import one_snapshot
from matchmaking.models.tickets import LIVE
from matchmaking.offers.line_up import members_of
from matchmaking.parties.membership import party_of
from matchmaking.playing import current_match
from matchmaking.tickets.lifecycle import UNSEEN, beat
from matchmaking.tickets.status import search_of
from ratings.models import Game, Sanction, SanctionKind, SuspendedFrom
from ratings.sanctions import told_to
from rooms.held import room_of

__all__ = ["MeView"]


class SanctionShape(Shape):
    """What operators have imposed on a player."""

    id = serializers.IntegerField(source="pk", help_text="For an appeal.")
    kind = serializers.ChoiceField(
        choices=[kind for kind in SanctionKind.values if kind != SanctionKind.NOTE]
    )
    suspended_from = serializers.ChoiceField(
        choices=["", *SuspendedFrom.values], help_text="Of a suspension; else empty."
    )
    reason = serializers.CharField(help_text="Empty for a server.")
    imposed_at = serializers.DateTimeField()
    until = serializers.DateTimeField(
        allow_null=True, help_text="When it ends; null: when an operator lifts it."
    )

    def get_reason(self, sanction: Sanction) -> str:
        """What operators tell a person is for that person."""
        return sanction.reason if self._caller.player is not None else ""


class MeShape(Shape):
    """The caller."""

    game = serializers.CharField(help_text="Short name of the game; empty for a key of all games.")
    archived_at = serializers.DateTimeField(
        allow_null=True, help_text="When the game was archived; null: in use."
    )
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values))
    player = PlayerRefShape(
        allow_null=True, help_text="Of a token; of a server: whom it asks about, or null."
    )
    party = serializers.IntegerField(
        allow_null=True, help_text="Id of the party that the player is in."
    )
    room = serializers.IntegerField(
        allow_null=True,
        help_text="Id of the room that the player is in, also of one that only looks on.",
    )
    ticket = TicketShape(allow_null=True, help_text="The player's live ticket.")
    sanctions = SanctionShape(
        many=True, help_text="What operators have imposed on the player, and what is in force."
    )
    match = serializers.IntegerField(
        allow_null=True, help_text="The match that the player is in and has not reported."
    )


class AboutBody(Body):
    """Of whom a server asks."""

    player = IdField(required=False, help_text="For servers: about whom, by the id in the game.")


# As for hearing of them by the stream.
_MAY_ASK = needs(Scope.READ, Scope.TICKETS_WRITE)


class MeView(ApiView):
    """The caller."""

    access = {"GET": needs(*Scope)}
    query = {"GET": AboutBody}
    problems = {"GET": WHO_PROBLEMS}
    tag = "Queues and tickets"

    @extend_schema(summary="Who am I", responses=MeShape)
    def get(self, request: Request) -> Response:
        """What this key or token is for. With a token also the player's live ticket, party, room and match: all that a
        game client needs after a restart. With the scope `play` asking is a sign of life. A server with `read` or
        `tickets:write` is told the same of the `player` it names, but no reasons, and it is no such sign.
        """
        player, game = self.caller.player, self.caller.game
        party, room, search, match, members = None, None, None, None, {}
        sanctions: list[Sanction] = []
        about = player
        with one_snapshot():
            # What is known of the caller may be some seconds old.
            games = Game.objects.filter(pk=self.caller.game_id or 0)
            archived_at = games.values_list("archived_at", flat=True).first()
            if (named := self.parameters.get("player")) is not None:
                about = player_for(self.caller, named)
                _MAY_ASK.check(self.caller)
            if about is not None:
                search, party = search_of(about.pk), party_of(about.pk)
                match, room = current_match(about.pk), room_of(about.pk)
                sanctions = told_to(about)
                if search is not None and search.state not in LIVE:
                    search = None
                members = members_of([search.ticket_id] if search else [])
        if search and self.caller.may([Scope.PLAY]):
            beat(search.ticket_id, sign=UNSEEN)
        me = {
            "game": game.slug if game else "",
            "archived_at": archived_at,
            "scopes": sorted(self.caller.scopes),
            "player": about,
            "party": party.pk if party else None,
            "room": room.pk if room else None,
            "ticket": search,
            "sanctions": sanctions,
            "match": match.pk if match else None,
        }
        return Response(self.shown(MeShape, me, members=members))
