"""Rooms: their lists, what they can be like, opening one, and finding one by its code."""

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.auth.stream_rights import MAY_ACT, MAY_LOOK
from api.contract.bodies import Body, WordField
from api.contract.fields import IdField, ShortNameField, TextField
from api.contract.pages import PageBody, decode, encode, page_shape
from api.contract.problems import ProblemError
from api.serializers.rooms import ChoicesShape, ListedRoomShape, RoomShape
from api.views.bodies import PlayerBody
from api.views.rooms.base import COMING, RoomEndpoint, RoomNameField, SettingsBody, settings_in
from foundation.postgresql.transactions import after_commit, from_one_snapshot
from ratings.models import Ladder
from rooms import coming, lifecycle
from rooms.filters.declared import offered_filters
from rooms.listing import LISTS, Wish, rooms_for_servers, rooms_listed
from rooms.places import Place, place_of
from rooms.tend import beat

__all__ = ["RoomChoicesView", "RoomCodeView", "RoomView", "RoomsView"]

RoomsShape = page_shape("RoomsShape", ListedRoomShape)


class RoomListBody(PageBody):
    """Which rooms."""

    player = IdField(
        required=False,
        help_text="For whom, by the id in the game: for servers. Left out: all rooms.",
    )
    list = WordField(
        choices=LISTS,
        default=LISTS[0],
        help_text="Those that the player may join, all, or those in which friends are.",
    )
    category = TextField(required=False, max_length=30)
    ladder = ShortNameField(required=False)
    text = TextField(
        required=False, max_length=60, help_text="In the name, the note or the host's name."
    )


class RoomOpenBody(SettingsBody):
    """Where, and how the room is to be."""

    ladder = ShortNameField(help_text="Short name of the ladder.")
    name = RoomNameField()


class RoomLadderBody(Body):
    """Of which ladder."""

    ladder = ShortNameField(help_text="Short name of the ladder.")


class RoomCodeBody(PlayerBody):
    """Who comes, and where."""

    code = TextField(max_length=40, help_text="The room's code, however it is typed.")


class RoomsView(RoomEndpoint):
    """Rooms of the caller's game."""

    has_address = True
    access = {"GET": MAY_LOOK, "POST": MAY_ACT}
    query = {"GET": RoomListBody}
    problems = {
        "GET": WHO_PROBLEMS,
        "POST": (
            *COMING,
            "unknown_ladder",
            "rated_by_events",
            "rooms_closed",
            "too_many_rooms",
            "wrong_room",
            "room_full",
        ),
    }

    @extend_schema(summary="Rooms", responses=RoomsShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Live rooms, the newest first: those that the player may join, or `all` with the reason why not. No order,
        filter or reason tells anything of a rating on a ladder of normal mode.
        """
        given = self.parameters
        before = decode("q", given["cursor"], 1)[0] if "cursor" in given else None
        words = {name: given.get(name, "") for name in ("category", "ladder", "text")}
        wish = Wish(which=given["list"], before=before, **words)
        if self.caller.player is None and "player" not in given:
            found, following = rooms_for_servers(self.caller.game_id or 0, wish, given["limit"])
        else:
            player = player_for(self.caller, given.get("player"))
            found, following = rooms_listed(player, wish, given["limit"])
        after = None if following is None else encode("q", following)
        return self.page(RoomsShape, found, after)

    @extend_schema(summary="Open a room", request=RoomOpenBody, responses={201: RoomShape})
    def post(self, request: Request) -> Response:
        """Opens a room, whose host the player is, with the first seat. A party's leader brings the whole party."""
        given = self.body(RoomOpenBody)
        player = player_for(self.caller, given.get("player"))
        place = _place(self, given.pop("ladder"))
        with self.showing_given():
            room = lifecycle.open_room(
                player=player, ladder=place.ladder, settings=settings_in(given)
            )
        return self.answer(room.pk, 201)


class RoomChoicesView(RoomEndpoint):
    """What rooms of a ladder can be like."""

    access = {"GET": MAY_LOOK}
    query = {"GET": RoomLadderBody}
    problems = {"GET": ("unknown_ladder",)}

    @extend_schema(summary="What rooms can be like", responses=ChoicesShape)
    @from_one_snapshot
    def get(self, request: Request) -> Response:
        """Categories, maps and filters of a ladder's rooms, for a form."""
        place = _place(self, self.parameters["ladder"])
        values = {
            "ladder": place.ladder.slug,
            "open": place.lobby.is_open,
            "categories": place.lobby.category_names,
            "team_count": place.ladder.team_count,
            "team_size": place.ladder.team_size,
            "turn_seconds": place.lobby.turn_seconds,
            "silent_seconds": place.lobby.silent_seconds,
            "maps": list(place.maps),
            "filters": offered_filters(place),
        }
        return Response(self.shown(ChoicesShape, values))


class RoomCodeView(RoomEndpoint):
    """Joining by code."""

    access = {"POST": MAY_ACT}
    problems = {
        "POST": (
            *COMING,
            "unknown_room",
            "room_over",
            "room_not_open",
            "room_full",
            "room_refuses",
            "removed_from_room",
        )
    }

    @extend_schema(summary="Join a room by its code", request=RoomCodeBody, responses=RoomShape)
    def post(self, request: Request) -> Response:
        """Takes a seat in the room that has this code."""
        given = self.body(RoomCodeBody)
        player = player_for(self.caller, given.get("player"))
        room = lifecycle.room_with(given["code"], player.game_id)
        coming.join(room_id=room.pk, player=player, code=room.code)
        return self.answer(room.pk)


class RoomView(RoomEndpoint):
    """One room."""

    access = {"GET": MAY_LOOK}

    @extend_schema(summary="A room", responses=RoomShape)
    @from_one_snapshot
    def get(self, request: Request, room_id: int) -> Response:
        """The room as it is now: while it is open for every player of its game, then for its members, and for servers.
        A member who asks gives a sign of life.
        """
        room = self.room(room_id)
        if self.caller.player is not None and room.is_live:
            after_commit(beat, self.caller.player.pk)
        return self.answer(room.pk)


def _place(view: RoomEndpoint, slug: str) -> Place:
    """A ladder of the caller's game."""
    if view.caller.game is None:
        raise Http404
    used = Ladder.objects.in_use().filter(slug=slug, game=view.caller.game)
    ladder = used.select_related("game").first()
    if ladder is None:
        words = _("There is no ladder “%(ladder)s” in this game.") % {"ladder": slug}
        raise ProblemError("unknown_ladder", words)
    return place_of(ladder)
