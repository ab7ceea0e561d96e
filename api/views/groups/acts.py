"""What is done in a group: one endpoint each."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.stream_rights import MAY_ACT
from api.contract.fields import TruthField, WholeField
from api.serializers.people.groups import GroupShape
from api.serializers.searching.parties import PartyShape
from api.views.bodies import PlayerBody
from api.views.groups.base import IN_GROUP, GroupEndpoint, GroupSettingsBody, settings_in
from groups import lifecycle, membership
from groups.party import invite_group
from matchmaking.parties.own_party import party_seen

__all__ = [
    "GroupDeclineView",
    "GroupDissolveView",
    "GroupInviteView",
    "GroupJoinView",
    "GroupKeepView",
    "GroupLeaveView",
    "GroupOwnerView",
    "GroupPartyView",
    "GroupRemoveView",
    "GroupSettingsView",
    "GroupShowView",
    "GroupWithdrawView",
]
OF_OWNER = (*IN_GROUP, "not_group_owner")


class GroupMemberBody(PlayerBody):
    """Who acts, and on whom."""

    member = WholeField(help_text="The other player's id.")


class ShowBody(PlayerBody):
    """Who shows what it is at."""

    shows = TruthField(help_text="Whether the group sees it, as friends do.")


class KeepBody(PlayerBody):
    """Who wants to keep the group."""

    keeps = TruthField(help_text="Whether the group is to stay beyond its time.")


class _ActView(GroupEndpoint):
    """An endpoint that does one thing in a group."""

    access = {"POST": MAY_ACT}


class GroupJoinView(_ActView):
    """Joining."""

    problems = {
        "POST": (
            *IN_GROUP,
            "group_not_open",
            "group_full",
            "too_many_groups",
            "archived",
            "suspended",
        )
    }

    @extend_schema(summary="Join a group", request=PlayerBody, responses=GroupShape)
    def post(self, request: Request, group_id: int) -> Response:
        """Makes the player a member. Why a group is not open to it, `group_not_open` does not say."""
        player, _given = self.asked(group_id, PlayerBody)
        membership.join(group_id=group_id, player=player)
        return self.answer(group_id, player)


class GroupDeclineView(_ActView):
    """Turning an invitation down."""

    problems = {"POST": (*IN_GROUP, "not_invited")}

    @extend_schema(summary="Turn an invitation down", request=PlayerBody, responses={204: None})
    def post(self, request: Request, group_id: int) -> Response:
        """Takes the player's invitation away."""
        player, _given = self.asked(group_id, PlayerBody)
        membership.decline(group_id=group_id, player=player)
        return Response(status=204)


class GroupLeaveView(_ActView):
    """Leaving."""

    problems = {"POST": IN_GROUP}

    @extend_schema(summary="Leave a group", request=PlayerBody, responses={204: None})
    def post(self, request: Request, group_id: int) -> Response:
        """Takes the player out. After the owner the longest member owns it; with the last one the group ends."""
        player, _given = self.asked(group_id, PlayerBody)
        membership.leave(group_id=group_id, player=player)
        return Response(status=204)


class GroupInviteView(_ActView):
    """Inviting."""

    problems = {
        "POST": (*OF_OWNER, "player_not_open", "group_not_open", "too_many_invited", "suspended")
    }

    @extend_schema(
        summary="Invite a player into a group", request=GroupMemberBody, responses=GroupShape
    )
    def post(self, request: Request, group_id: int) -> Response:
        """Asks a player of the same game in: as the owner, or in a group that is open to everyone as any member."""
        player, given = self.asked(group_id, GroupMemberBody)
        membership.invite(group_id=group_id, player_id=given["member"], by=player)
        return self.answer(group_id, player)


class GroupWithdrawView(_ActView):
    """Taking an invitation back."""

    problems = {"POST": (*OF_OWNER, "not_invited")}

    @extend_schema(summary="Take an invitation back", request=GroupMemberBody, responses=GroupShape)
    def post(self, request: Request, group_id: int) -> Response:
        """Takes an invitation back, as the owner or whoever has invited."""
        player, given = self.asked(group_id, GroupMemberBody)
        membership.withdraw(group_id=group_id, player_id=given["member"], by=player)
        return self.answer(group_id, player)


class GroupRemoveView(_ActView):
    """Sending members away."""

    problems = {"POST": (*OF_OWNER, "removes_owner")}

    @extend_schema(
        summary="Remove a member from a group", request=GroupMemberBody, responses=GroupShape
    )
    def post(self, request: Request, group_id: int) -> Response:
        """Takes a member out, as the owner. It comes back only if the owner invites it."""
        player, given = self.asked(group_id, GroupMemberBody)
        membership.remove(group_id=group_id, player_id=given["member"], by=player)
        return self.answer(group_id, player)


class GroupOwnerView(_ActView):
    """Handing over."""

    problems = {"POST": OF_OWNER}

    @extend_schema(
        summary="Let another member own a group", request=GroupMemberBody, responses=GroupShape
    )
    def post(self, request: Request, group_id: int) -> Response:
        """Makes another member the owner."""
        player, given = self.asked(group_id, GroupMemberBody)
        lifecycle.hand_over(group_id=group_id, to=given["member"], by=player)
        return self.answer(group_id, player)


class GroupSettingsView(_ActView):
    """Other settings."""

    problems = {"POST": (*OF_OWNER, "wrong_group_size", "wrong_group_text", "suspended")}

    @extend_schema(summary="Change a group", request=GroupSettingsBody, responses=GroupShape)
    def post(self, request: Request, group_id: int) -> Response:
        """Changes what is given, as the owner."""
        player, given = self.asked(group_id, GroupSettingsBody)
        lifecycle.change(group_id=group_id, by=player, settings=settings_in(given))
        return self.answer(group_id, player)


class GroupShowView(_ActView):
    """What a member shows the others."""

    problems = {"POST": IN_GROUP}

    @extend_schema(summary="Show a group what one is at", request=ShowBody, responses=GroupShape)
    def post(self, request: Request, group_id: int) -> Response:
        """Chooses whether the group sees what the player is at, as friends do; never of whoever shows nobody."""
        player, given = self.asked(group_id, ShowBody)
        membership.show(group_id=group_id, player=player, shows=given["shows"])
        return self.answer(group_id, player)


class GroupKeepView(_ActView):
    """Keeping a random group."""

    problems = {"POST": (*IN_GROUP, "group_does_not_end")}

    @extend_schema(summary="Keep a random group", request=KeepBody, responses=GroupShape)
    def post(self, request: Request, group_id: int) -> Response:
        """Says whether the group is to stay: it does once more than half of its members want that."""
        player, given = self.asked(group_id, KeepBody)
        lifecycle.keep(group_id=group_id, player=player, wants=given["keeps"])
        return self.answer(group_id, player)


class GroupPartyView(_ActView):
    """A party from the group."""

    problems = {
        "POST": (*IN_GROUP, "archived", "no_teams", "party_full", "suspended", "cooling_off")
    }

    @extend_schema(
        summary="Invite a group into the party", request=PlayerBody, responses=PartyShape
    )
    def post(self, request: Request, group_id: int) -> Response:
        """Tells members of the same game who are open to it the code of the player's party, which is opened where there
        is none; once a party. Who was told is not said.
        """
        player, _given = self.asked(group_id, PlayerBody)
        party, _others = invite_group(group_id=group_id, by=player)
        return Response(self.shown(PartyShape, party_seen(party)))


class GroupDissolveView(_ActView):
    """The end."""

    problems = {"POST": OF_OWNER}

    @extend_schema(summary="Dissolve a group", request=PlayerBody, responses={204: None})
    def post(self, request: Request, group_id: int) -> Response:
        """Ends the group for all, as the owner."""
        player, _given = self.asked(group_id, PlayerBody)
        lifecycle.dissolve(group_id=group_id, by=player)
        return Response(status=204)
