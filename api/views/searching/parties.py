"""Parties: players who search together."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, parties_of, party_for, player_for
from api.auth.stream_rights import MAY_ACT, MAY_LOOK
from api.contract.fields import TextField, WholeField
from api.contract.pages import PageBody, page_by, page_shape
from api.serializers.searching.parties import PartyShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody
from foundation.postgresql.transactions import from_one_snapshot, one_snapshot
from matchmaking.models import Party
from matchmaking.parties import lifecycle as parties
from matchmaking.parties.own_party import parties_seen, party_seen
from ratings.models import Player

__all__ = [
    "PartiesView",
    "PartyJoinView",
    "PartyLeadView",
    "PartyLeaveView",
    "PartyRemoveView",
    "PartyView",
]

PartiesShape = page_shape("PartiesShape", PartyShape)
_CHANGED = (*WHO_PROBLEMS, "not_in_party", "party_over", "already_matched")


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
        headers = {"Location": reverse("api:party", args=[party.pk])} if status == 201 else None
        return Response(self.shown(PartyShape, seen), status=status, headers=headers)


class PartiesView(_PartyEndpoint):
    """The caller's parties."""

    has_address = True
    access = {"GET": MAY_LOOK, "POST": MAY_ACT}
    query = {"GET": PageBody}
    problems = {
        "POST": (
            *WHO_PROBLEMS,
            "no_teams",
            "already_in_party",
            "suspended",
            "cooling_off",
            "archived",
        )
    }

    @extend_schema(summary="Live parties", responses=PartiesShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Live parties, oldest first: the player's own, or those of the server's game."""
        rows, after = page_by("pk", "p", parties_of(self.caller), self.parameters)
        return self.page(PartiesShape, parties_seen(rows), after)

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
        "POST": (
            *WHO_PROBLEMS,
            "unknown_party",
            "already_in_party",
            "suspended",
            "cooling_off",
            "party_full",
            "party_offered",
            "already_matched",
        )
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

    def asked(self, party_id: int, reader: type[PlayerBody]) -> tuple[Party, Player, Any]:
        """The party, a player of the caller's, and the checked body."""
        given = self.body(reader)
        party = party_for(self.caller, party_id)
        return party, player_for(self.caller, given.get("player")), given


class PartyLeaveView(_ChangeView):
    """Leaving."""

    problems = {"POST": _CHANGED}

    @extend_schema(summary="Leave a party", request=PlayerBody, responses=PartyShape)
    def post(self, request: Request, party_id: int) -> Response:
        """Takes the player out. When the leader goes, the longest member leads; with the last one the party ends. A
        search that runs for the party ends first; where its match was faster the answer is `already_matched`, and
        nothing has changed.
        """
        party, player, _given = self.asked(party_id, PlayerBody)
        left = parties.leave_party(party_id=party.pk, player=player, declines=True)
        return self.answer(left)


class PartyRemoveView(_ChangeView):
    """Sending members away."""

    problems = {"POST": (*_CHANGED, "not_leader")}

    @extend_schema(summary="Remove a member", request=MemberBody, responses=PartyShape)
    def post(self, request: Request, party_id: int) -> Response:
        """Takes a member out, as the leader. The party has another `code` then. A search ends first, as with
        leaving.
        """
        party, player, given = self.asked(party_id, MemberBody)
        left = parties.remove_member(party_id=party.pk, member=given["member"], by=player.pk)
        return self.answer(left)


class PartyLeadView(_ChangeView):
    """Handing over."""

    problems = {"POST": (*_CHANGED, "not_leader")}

    @extend_schema(summary="Let another member lead", request=MemberBody, responses=PartyShape)
    def post(self, request: Request, party_id: int) -> Response:
        """Makes a member the leader, as the leader. A search ends first, as with leaving."""
        party, player, given = self.asked(party_id, MemberBody)
        led = parties.hand_over(party_id=party.pk, to=given["member"], by=player.pk)
        return self.answer(led)
