"""Lists of groups, making one, and one with its members."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT, MAY_LOOK
from api.contract.bodies import Body, WordField
from api.contract.fields import IdField, TextField, TruthField
from api.contract.pages import PageBody, decode, encode, page_shape
from api.serializers.people.groups import GroupShape, ListedGroupShape
from api.views.groups.base import GroupEndpoint, GroupSettingsBody, settings_in
from foundation.postgresql.transactions import from_one_snapshot
from groups import lifecycle
from groups.read import LISTS, groups_listed

__all__ = ["GroupView", "GroupsView"]

GroupsShape = page_shape("GroupsShape", ListedGroupShape)
_PLAYER = "For whom, by the id in the game: for servers; a token has its own player's."


class GroupListBody(PageBody):
    """Which groups."""

    player = IdField(required=False, help_text=_PLAYER)
    list = WordField(
        choices=LISTS,
        default=LISTS[0],
        help_text="Those that the player is in, is invited to, or those that are open to everyone.",
    )
    text = TextField(required=False, max_length=60, help_text="In the name or the note.")


class GroupMakeBody(GroupSettingsBody):
    """How the group is to be."""

    name = TextField(max_length=60, help_text="2 to 60 characters.")
    all_games = TruthField(
        required=False,
        help_text="For players of all games: members may bring the players they have in others.",
    )


class GroupOfBody(Body):
    """For whom."""

    player = IdField(
        required=False,
        help_text="For whom, by the id in the game: for servers. Left out: nothing that members show each other.",
    )


class GroupsView(GroupEndpoint):
    """Groups of a player."""

    has_address = True
    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": GroupListBody}
    problems = {
        "GET": WHO_PROBLEMS,
        "POST": (
            *WHO_PROBLEMS,
            "archived",
            "suspended",
            "groups_off",
            "too_many_groups",
            "wrong_group_size",
            "wrong_group_text",
        ),
    }

    @extend_schema(summary="Groups", responses=GroupsShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """The newest first: the player's own, those it is invited to, or those that are open to everyone."""
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        before = decode("g", given["cursor"], 1)[0] if "cursor" in given else None
        found, following = groups_listed(
            player, given["list"], text=given.get("text", ""), before=before, most=given["limit"]
        )
        after = None if following is None else encode("g", following)
        return self.page(GroupsShape, found, after)

    @extend_schema(summary="Make a group", request=GroupMakeBody, responses={201: GroupShape})
    def post(self, request: Request) -> Response:
        """Makes a group, which the player owns and is in."""
        given = self.body(GroupMakeBody)
        player = player_for(self.caller, given.get("player"))
        made = lifecycle.make(
            player=player,
            settings=settings_in(given),
            for_all_games=given.get("all_games", False),
        )
        return self.answer(made.pk, player, 201)


class GroupView(GroupEndpoint):
    """One group."""

    access = {"GET": MAY_LOOK}
    query = {"GET": GroupOfBody}
    problems = {"GET": WHO_PROBLEMS}

    @extend_schema(summary="A group", responses=GroupShape)
    def get(self, request: Request, group_id: int) -> Response:
        """The group with its members, and what those are at who show that to the player."""
        named = self.parameters.get("player")
        is_server = self.caller.player is None and named is None
        return self.answer(group_id, None if is_server else player_for(self.caller, named))
