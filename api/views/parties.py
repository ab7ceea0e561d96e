"""Parties: players who search together."""

from abc import abstractmethod
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.access import needs
from api.auth.acting_player import party_for, player_for
from api.auth.scopes import Scope
from api.contract.fields import TextField, WholeField
from api.serializers.parties import PartyShape, party_shape_of
from api.views.base import ApiView
from api.views.reports import PlayerBody
from foundation.transactions import one_snapshot
from matchmaking.models import Party
from matchmaking.parties import lifecycle as parties
from matchmaking.parties.own_party import party_seen
from ratings.models import Player

__all__ = [
    "PartiesView",
    "PartyJoinView",
    "PartyLeadView",
    "PartyLeaveView",
    "PartyRemoveView",
    "PartyView",
]

MAY_LOOK = needs(Scope.READ, Scope.PLAY, Scope.TICKETS_WRITE)
MAY_ACT = needs(Scope.PLAY, Scope.TICKETS_WRITE)
_WHO = ("wrong_player_field", "unknown_player")
_CHANGED = (*_WHO, "not_in_party", "party_over", "already_matched")


class CodeBody(PlayerBody):
    """Who comes, and where."""

    code = TextField(max_length=40, help_text="The party's code, however it is typed.")


class MemberBody(PlayerBody):
    """Who acts, and on whom."""

    member = WholeField(help_text="The other player's id, as in `members`.")


class _PartyEndpoint(ApiView):
    """What the endpoints of parties share."""

    tag = "Parties"

    def answer(self, party: Party, status: int = 200) -> Response:
        """The party as it is now."""
        with one_snapshot():
            party.refresh_from_db()
            seen = party_seen(party)
        response = Response(party_shape_of(seen, self.caller), status=status)
        if status == 201:
            response["Location"] = reverse("api:party", args=[party.pk])
        return response


class PartiesView(_PartyEndpoint):
    """Opening parties."""

    has_address = True
    access = {"POST": MAY_ACT}
    problems = {"POST": (*_WHO, "no_teams", "already_in_party")}

    @extend_schema(summary="Open a party", request=PlayerBody, responses={201: PartyShape})
    def post(self, request: Request) -> Response:
        """Begins a party, which the player leads. Its `code` lets others in, up to the largest team of the game."""
        given = self.body(PlayerBody)
        player = player_for(self.caller, given.get("player"))
        return self.answer(parties.open_party(player=player), 201)


class PartyJoinView(_PartyEndpoint):
    """Joining by code."""

    access = {"POST": MAY_ACT}
    problems = {
        "POST": (*_WHO, "unknown_party", "already_in_party", "party_full", "already_matched")
    }

    @extend_schema(summary="Join a party", request=CodeBody, responses=PartyShape)
    def post(self, request: Request) -> Response:
        """Makes the player a member; who is one already stays one. A search that runs for the party ends first."""
        given = self.body(CodeBody)
        player = player_for(self.caller, given.get("player"))
        return self.answer(parties.join_party(player=player, code=given["code"]))


class PartyView(_PartyEndpoint):
    """One party."""

    access = {"GET": MAY_LOOK}

    @extend_schema(summary="A party", responses=PartyShape)
    def get(self, request: Request, party_id: int) -> Response:
        """The party as it is now: for its members, and for servers of its game. Search for it with `party` of
        `POST /tickets`.
        """
        return self.answer(party_for(self.caller, party_id))


class _ChangeView(_PartyEndpoint):
    """An endpoint that does one thing to a party."""

    access = {"POST": MAY_ACT}

    @abstractmethod
    def act(self, party: Party, player: Player, given: dict[str, Any]) -> Party:
        """Do it, for a player of the caller's."""

    def carry_out(self, party_id: int, reader: type[PlayerBody]) -> Response:
        """Check the caller and the body, act, and answer with the party."""
        given = self.body(reader)
        party = party_for(self.caller, party_id)
        player = player_for(self.caller, given.get("player"))
        return self.answer(self.act(party, player, given))


class PartyLeaveView(_ChangeView):
    """Leaving."""

    problems = {"POST": _CHANGED}

    @extend_schema(summary="Leave a party", request=PlayerBody, responses=PartyShape)
    def post(self, request: Request, party_id: int) -> Response:
        """Takes the player out. When the leader goes, the longest member leads; with the last one the party ends. A
        search that runs for the party ends first; where its match was faster the answer is `already_matched`, and
        nothing has changed.
        """
        return self.carry_out(party_id, PlayerBody)

    def act(self, party: Party, player: Player, given: dict[str, Any]) -> Party:
        return parties.leave_party(party_id=party.pk, player=player)


class PartyRemoveView(_ChangeView):
    """Sending members away."""

    problems = {"POST": (*_CHANGED, "not_leader")}

    @extend_schema(summary="Remove a member", request=MemberBody, responses=PartyShape)
    def post(self, request: Request, party_id: int) -> Response:
        """Takes a member out, as the leader. The party has another `code` then. A search ends first, as with
        leaving.
        """
        return self.carry_out(party_id, MemberBody)

    def act(self, party: Party, player: Player, given: dict[str, Any]) -> Party:
        return parties.remove_member(party_id=party.pk, member=given["member"], by=player.pk)


class PartyLeadView(_ChangeView):
    """Handing over."""

    problems = {"POST": (*_CHANGED, "not_leader")}

    @extend_schema(summary="Let another member lead", request=MemberBody, responses=PartyShape)
    def post(self, request: Request, party_id: int) -> Response:
        """Makes a member the leader, as the leader. A search ends first, as with leaving."""
        return self.carry_out(party_id, MemberBody)

    def act(self, party: Party, player: Player, given: dict[str, Any]) -> Party:
        return parties.hand_over(party_id=party.pk, to=given["member"], by=player.pk)
