"""What the endpoints of groups share: whose group, how it is answered, and what they are called in the description."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.contract.bodies import Body, WordField
from api.contract.fields import TextField, WholeField
from api.serializers.people.groups import ACCESS, GroupShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody
from foundation.postgresql.transactions import one_snapshot
from groups.models import Group
from groups.models.rules import MOST_MEMBERS
from groups.read import group_seen, visible_to
from ratings.models import Player

__all__ = ["IN_GROUP", "GroupEndpoint", "GroupSettingsBody", "settings_in"]

IN_GROUP = (*WHO_PROBLEMS, "unknown_group", "not_in_group")


class GroupSettingsBody(PlayerBody):
    """How a group is to be; what is left out stays, or is as groups usually are."""

    name = TextField(required=False, max_length=60, help_text="2 to 60 characters.")
    note = TextField(
        required=False,
        allow_blank=True,
        max_length=200,
        help_text="Everybody who sees the group reads it.",
    )
    access = WordField(choices=ACCESS, required=False)
    most = WholeField(
        required=False, min_value=2, max_value=MOST_MEMBERS, help_text="Members that it may have."
    )


def settings_in(given: dict[str, Any]) -> dict[str, Any]:
    """The settings in a body."""
    return {name: given[name] for name in ("name", "note", "access", "most") if name in given}


class GroupEndpoint(ApiView):
    """Base of the endpoints of groups."""

    tag = "Groups"

    def answer(self, group_id: int, player: Player | None, status: int = 200) -> Response:
        """The group as it is now, as the player sees it. Http404 where it is gone or hidden from the player."""
        with one_snapshot():
            seen = group_seen(self.group(group_id, player), player)
        headers = {"Location": reverse("api:group", args=[group_id])} if status == 201 else None
        shown = self.shown(GroupShape, seen, doing=seen.doing)
        return Response(shown, status=status, headers=headers)

    def group(self, group_id: int, player: Player | None) -> Group:
        """A group that the player may look into; without one any of the server's game. Http404 for others."""
        groups = Group.objects.filter(game=self.caller.game).select_related("game", "owner")
        found = (groups if player is None else visible_to(player)).filter(pk=group_id).first()
        if found is None:
            raise Http404
        return found

    def asked(self, group_id: int, reader: type[Body]) -> tuple[Player, Any]:
        """A player of the caller's, who may look into the group, and the checked body."""
        given = self.body(reader)
        player = player_for(self.caller, given.get("player"))
        self.group(group_id, player)
        return player, given
