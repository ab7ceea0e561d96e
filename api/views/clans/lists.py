"""Lists of clans, founding one, and one with its members."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT, MAY_LOOK
from api.contract.bodies import Body, WordField
from api.contract.fields import IdField, TextField
from api.contract.pages import PageBody, decode, encode, page_shape
from api.serializers.people.clans import ClanShape, ListedClanShape
from api.views.clans.base import ClanEndpoint, ClanSettingsBody, settings_in
from clans import lifecycle
from clans.read import clan_of, clans_asked, clans_inviting, clans_listed
from clans.texts import LONGEST_NAME
from foundation.postgresql.transactions import from_one_snapshot
from ratings.models.players import LONGEST_CLAN_TAG

__all__ = ["CLAN_LISTS", "ClanView", "ClansView"]

CLAN_LISTS = ("all", "own", "invited", "applied")
ClansShape = page_shape("ClansShape", ListedClanShape)
_PLAYER = "For whom, by the id in the game: for servers; a token has its own player's."


class ClanListBody(PageBody):
    """Which clans."""

    player = IdField(required=False, help_text=_PLAYER)
    list = WordField(
        choices=CLAN_LISTS,
        default=CLAN_LISTS[0],
        help_text="All of the game, page by page; the one that the player is in; those that ask it, or that it asks.",
    )
    text = TextField(
        required=False, max_length=40, help_text="A tag, or a part of a name: of all clans."
    )


class ClanFoundBody(ClanSettingsBody):
    """How the clan is to be."""

    name = TextField(max_length=LONGEST_NAME, help_text="2 to 40 characters.")
    tag = TextField(
        max_length=LONGEST_CLAN_TAG, help_text="2 to 6 letters and digits of one script."
    )


class ClanOfBody(Body):
    """For whom."""

    player = IdField(
        required=False,
        help_text="For whom, by the id in the game: for servers. Left out: nothing of who is asked or asks.",
    )


class ClansView(ClanEndpoint):
    """Clans of a game."""

    has_address = True
    access = {"GET": MAY_ACT, "POST": MAY_ACT}
    query = {"GET": ClanListBody}
    problems = {
        "GET": WHO_PROBLEMS,
        "POST": (
            *WHO_PROBLEMS,
            "archived",
            "suspended",
            "clans_off",
            "in_clan",
            "wrong_clan_size",
            "wrong_clan_text",
            "clan_text_taken",
        ),
    }

    @extend_schema(summary="Clans", responses=ClansShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """The newest first: all of the game, the player's own, those that ask it, or those that it asks."""
        given = self.parameters
        player = player_for(self.caller, given.get("player"))
        if given["list"] == "all":
            before = decode("k", given["cursor"], 1)[0] if "cursor" in given else None
            found, following = clans_listed(
                player.game_id, text=given.get("text", ""), before=before, most=given["limit"]
            )
            after = None if following is None else encode("k", following)
            return self.page(ClansShape, found, after)
        if given["list"] == "own":
            own = clan_of(player.pk)
            return self.page(ClansShape, [own] if own else [], None)
        asking = clans_inviting if given["list"] == "invited" else clans_asked
        return self.page(ClansShape, asking(player.pk), None)

    @extend_schema(summary="Found a clan", request=ClanFoundBody, responses={201: ClanShape})
    def post(self, request: Request) -> Response:
        """Founds a clan, which the player leads and is in."""
        given = self.body(ClanFoundBody)
        player = player_for(self.caller, given.get("player"))
        made = lifecycle.found(player=player, settings=settings_in(given))
        return self.answer(made.pk, player, 201)


class ClanView(ClanEndpoint):
    """One clan."""

    access = {"GET": MAY_LOOK}
    query = {"GET": ClanOfBody}
    problems = {"GET": WHO_PROBLEMS}

    @extend_schema(summary="A clan", responses=ClanShape)
    def get(self, request: Request, clan_id: int) -> Response:
        """The clan with its members; to the leader and officers also who is asked, and who asks to come."""
        named = self.parameters.get("player")
        is_server = self.caller.player is None and named is None
        return self.answer(clan_id, None if is_server else player_for(self.caller, named))
