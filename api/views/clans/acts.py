"""What is done in a clan: one endpoint each."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.stream_rights import MAY_ACT
from api.contract.fields import TruthField, WholeField
from api.serializers.people.clans import ClanShape
from api.views.bodies import PlayerBody
from api.views.clans.base import IN_CLAN, ClanEndpoint, ClanSettingsBody, settings_in
from clans import invitations, lifecycle, membership

__all__ = [
    "ClanAcceptView",
    "ClanApplyView",
    "ClanDeclineView",
    "ClanDissolveView",
    "ClanInviteView",
    "ClanJoinView",
    "ClanLeaderView",
    "ClanLeaveView",
    "ClanOfficerView",
    "ClanRemoveView",
    "ClanSettingsView",
    "ClanTakeBackView",
    "ClanTurnDownView",
    "ClanWithdrawView",
]

COMING = ("clan_not_open", "clan_full", "in_clan", "archived", "suspended")
OF_STAFF = (*IN_CLAN, "not_clan_officer")
OF_LEADER = (*IN_CLAN, "not_clan_leader")


class ClanMemberBody(PlayerBody):
    """Who acts, and on whom."""

    member = WholeField(help_text="The other player's id.")


class OfficerBody(ClanMemberBody):
    """Who appoints whom."""

    officer = TruthField(help_text="Whether the other is to be an officer.")


class _ActView(ClanEndpoint):
    """An endpoint that does one thing in a clan."""

    access = {"POST": MAY_ACT}


class ClanJoinView(_ActView):
    """Joining."""

    problems = {"POST": (*IN_CLAN, *COMING)}

    @extend_schema(summary="Join a clan", request=PlayerBody, responses=ClanShape)
    def post(self, request: Request, clan_id: int) -> Response:
        """Makes the player a member. Why a clan is not open to it, `clan_not_open` does not say."""
        player, _given = self.asked(clan_id, PlayerBody)
        membership.join(clan_id=clan_id, player=player)
        return self.answer(clan_id, player)


class ClanApplyView(_ActView):
    """Applying."""

    problems = {"POST": (*IN_CLAN, *COMING, "too_many_applications")}

    @extend_schema(summary="Ask to join a clan", request=PlayerBody, responses=ClanShape)
    def post(self, request: Request, clan_id: int) -> Response:
        """Asks the leader and officers to accept the player. Whoever is invited, or may join, is in at once."""
        player, _given = self.asked(clan_id, PlayerBody)
        membership.apply(clan_id=clan_id, player=player)
        return self.answer(clan_id, player)


class ClanTakeBackView(_ActView):
    """Taking an application back."""

    problems = {"POST": (*IN_CLAN, "not_applied")}

    @extend_schema(summary="Take an application back", request=PlayerBody, responses={204: None})
    def post(self, request: Request, clan_id: int) -> Response:
        """Takes the player's application back."""
        player, _given = self.asked(clan_id, PlayerBody)
        membership.take_back(clan_id=clan_id, player=player)
        return Response(status=204)


class ClanDeclineView(_ActView):
    """Turning an invitation down."""

    problems = {"POST": (*IN_CLAN, "not_invited")}

    @extend_schema(
        summary="Turn an invitation to a clan down", request=PlayerBody, responses={204: None}
    )
    def post(self, request: Request, clan_id: int) -> Response:
        """Takes the player's invitation away."""
        player, _given = self.asked(clan_id, PlayerBody)
        invitations.decline(clan_id=clan_id, player=player)
        return Response(status=204)


class ClanLeaveView(_ActView):
    """Leaving."""

    problems = {"POST": IN_CLAN}

    @extend_schema(summary="Leave a clan", request=PlayerBody, responses={204: None})
    def post(self, request: Request, clan_id: int) -> Response:
        """Takes the player out. After the leader the longest officer leads it, else the longest member; with the last
        one it ends.
        """
        player, _given = self.asked(clan_id, PlayerBody)
        membership.leave(clan_id=clan_id, player=player)
        return Response(status=204)


class ClanInviteView(_ActView):
    """Inviting."""

    problems = {"POST": (*OF_STAFF, *COMING, "player_not_open", "too_many_invited")}

    @extend_schema(
        summary="Invite a player into a clan", request=ClanMemberBody, responses=ClanShape
    )
    def post(self, request: Request, clan_id: int) -> Response:
        """Asks a player of the game in, as the leader or an officer. Whoever has applied is in then."""
        player, given = self.asked(clan_id, ClanMemberBody)
        invitations.invite(clan_id=clan_id, player_id=given["member"], by=player)
        return self.answer(clan_id, player)


class ClanWithdrawView(_ActView):
    """Taking an invitation back."""

    problems = {"POST": (*OF_STAFF, "not_invited")}

    @extend_schema(
        summary="Take an invitation to a clan back", request=ClanMemberBody, responses=ClanShape
    )
    def post(self, request: Request, clan_id: int) -> Response:
        """Takes an invitation back, as the leader or an officer."""
        player, given = self.asked(clan_id, ClanMemberBody)
        invitations.withdraw(clan_id=clan_id, player_id=given["member"], by=player)
        return self.answer(clan_id, player)


class ClanAcceptView(_ActView):
    """Accepting applicants."""

    problems = {
        "POST": (*OF_STAFF, "not_applied", "player_not_open", "clan_full", "in_clan", "archived")
    }

    @extend_schema(summary="Accept an applicant", request=ClanMemberBody, responses=ClanShape)
    def post(self, request: Request, clan_id: int) -> Response:
        """Makes an applicant a member, as the leader or an officer."""
        player, given = self.asked(clan_id, ClanMemberBody)
        membership.accept(clan_id=clan_id, player_id=given["member"], by=player)
        return self.answer(clan_id, player)


class ClanTurnDownView(_ActView):
    """Turning applicants down."""

    problems = {"POST": (*OF_STAFF, "not_applied")}

    @extend_schema(summary="Turn an applicant down", request=ClanMemberBody, responses=ClanShape)
    def post(self, request: Request, clan_id: int) -> Response:
        """Takes an application away, as the leader or an officer. No notice tells of it."""
        player, given = self.asked(clan_id, ClanMemberBody)
        membership.turn_down(clan_id=clan_id, player_id=given["member"], by=player)
        return self.answer(clan_id, player)


class ClanRemoveView(_ActView):
    """Sending members away."""

    problems = {"POST": (*OF_STAFF, "not_clan_leader", "is_clan_leader")}

    @extend_schema(
        summary="Remove a member from a clan", request=ClanMemberBody, responses=ClanShape
    )
    def post(self, request: Request, clan_id: int) -> Response:
        """Takes a member out: officers plain members, the leader all others. It comes back only by an invitation."""
        player, given = self.asked(clan_id, ClanMemberBody)
        membership.remove(clan_id=clan_id, player_id=given["member"], by=player)
        return self.answer(clan_id, player)


class ClanOfficerView(_ActView):
    """Appointing officers."""

    problems = {"POST": (*OF_LEADER, "is_clan_leader")}

    @extend_schema(summary="Appoint an officer of a clan", request=OfficerBody, responses=ClanShape)
    def post(self, request: Request, clan_id: int) -> Response:
        """Makes a member an officer, or no longer, as the leader."""
        player, given = self.asked(clan_id, OfficerBody)
        lifecycle.appoint(
            clan_id=clan_id, player_id=given["member"], by=player, is_officer=given["officer"]
        )
        return self.answer(clan_id, player)


class ClanLeaderView(_ActView):
    """Handing over."""

    problems = {"POST": OF_LEADER}

    @extend_schema(
        summary="Let another member lead a clan", request=ClanMemberBody, responses=ClanShape
    )
    def post(self, request: Request, clan_id: int) -> Response:
        """Makes another member the leader; who led it is an officer then."""
        player, given = self.asked(clan_id, ClanMemberBody)
        lifecycle.hand_over(clan_id=clan_id, to=given["member"], by=player)
        return self.answer(clan_id, player)


class ClanSettingsView(_ActView):
    """Other settings."""

    problems = {
        "POST": (*OF_LEADER, "wrong_clan_size", "wrong_clan_text", "clan_text_taken", "suspended")
    }

    @extend_schema(summary="Change a clan", request=ClanSettingsBody, responses=ClanShape)
    def post(self, request: Request, clan_id: int) -> Response:
        """Changes what is given, as the leader."""
        player, given = self.asked(clan_id, ClanSettingsBody)
        lifecycle.change(clan_id=clan_id, by=player, settings=settings_in(given))
        return self.answer(clan_id, player)


class ClanDissolveView(_ActView):
    """The end."""

    problems = {"POST": OF_LEADER}

    @extend_schema(summary="Dissolve a clan", request=PlayerBody, responses={204: None})
    def post(self, request: Request, clan_id: int) -> Response:
        """Ends the clan for all, as the leader. Its history stays; name and tag are free."""
        player, _given = self.asked(clan_id, PlayerBody)
        lifecycle.dissolve(clan_id=clan_id, by=player)
        return Response(status=204)
