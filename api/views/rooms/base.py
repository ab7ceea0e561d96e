"""What the endpoints of rooms share: bodies, who may see a room, and how it is answered."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.contract.bodies import Body
from api.contract.fields import ListOfField, NumberField, TextField, TruthField, with_fields
from api.serializers.rooms import FILTERS_SCHEMA, FiltersField, RoomShape
from api.views.base import ApiView
from api.views.reports import PlayerBody
from api.views.ticket_bodies import WISHES, OwnField, field_of
from foundation.transactions import one_snapshot
from matchmaking.pairing.conditions import PREFERENCES
from ratings.models import Player
from rooms.models import Access, MapChoice, Room, StartRule, TeamChoice
from rooms.seen import may_see, room_seen

__all__ = ["COMING", "IN_ROOM", "RoomEndpoint", "SettingsBody", "WishesBody", "wishes_in"]

IN_ROOM = (*WHO_PROBLEMS, "room_over", "not_in_room")
# What keeps a player from a seat.
COMING = (
    *WHO_PROBLEMS,
    "archived",
    "suspended",
    "cooling_off",
    "not_available",
    "already_searching",
    "already_playing",
    "too_many_disputes",
    "member_searching",
    "member_playing",
    "party_joins_whole",
    "already_in_room",
)


@extend_schema_field(
    {"type": "object", "properties": FILTERS_SCHEMA, "additionalProperties": False}
)
class FiltersGivenField(FiltersField):
    """Filters as a host gives them; what is wrong of them the rooms themselves say."""


def _text(most: int, **more: Any) -> TextField:
    return TextField(required=False, allow_blank=True, max_length=most, **more)


class SettingsBody(PlayerBody):
    """How a room is to be; what is left out stays, or is as rooms usually are."""

    name = _text(60, help_text="2 to 60 characters.")
    note = _text(200, help_text="Everybody who sees the room reads it.")
    category = _text(30, help_text="One of the game's categories.")
    access = _text(10, help_text="Who may come: " + ", ".join(Access.values))
    team_choice = _text(10, help_text="How teams are made: " + ", ".join(TeamChoice.values))
    map_choice = _text(10, help_text="How the map is chosen: " + ", ".join(MapChoice.values))
    map = _text(60, help_text="With `map_choice` `host`.")
    start_rule = _text(10, help_text="When the match begins: " + ", ".join(StartRule.values))
    rated = TruthField(required=False, help_text="Whether the match counts for ratings.")
    options = ListOfField(
        child=TextField(max_length=40),
        required=False,
        max_length=10,
        help_text="What else holds, for players and the game to read.",
    )
    filters = FiltersGivenField(required=False, help_text="Replaces all filters of before.")


@with_fields({name: field_of(one) for name, one in PREFERENCES.items()}, before="own")
class WishesBody(PlayerBody):
    """Who comes, and with which preferences; without any, with those of the last search."""

    own = OwnField(
        child=NumberField(),
        required=False,
        help_text="Numbers that the game's own conditions read.",
    )


def wishes_in(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """The preferences in a body; None where it has none."""
    found = {name: given[name] for name in WISHES if name in given}
    return found or None


def settings_in(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings in a body."""
    names = set(SettingsBody().fields) - {"player"}
    return {name: value for name, value in given.items() if name in names}


class RoomEndpoint(ApiView):
    """Base of the endpoints of rooms."""

    tag = "Rooms"

    def answer(self, room_id: int, status: int = 200) -> Response:
        """The room as it is now."""
        with one_snapshot():
            seen = room_seen(_rooms().get(pk=room_id))
        headers = {"Location": reverse("api:room", args=[room_id])} if status == 201 else None
        shown = self.shown(RoomShape, seen, captains=seen.captains)
        return Response(shown, status=status, headers=headers)

    def room(self, room_id: int) -> Room:
        """A room that the caller may see: Http404 for others."""
        room: Room | None = _rooms().filter(pk=room_id, game=self.caller.game).first()
        player = self.caller.player
        if room is None or (player is not None and not may_see(room, player)):
            raise Http404
        return room

    def asked(self, room_id: int, reader: type[Body]) -> tuple[Room, Player, Any]:
        """The room, a player of the caller's, and the checked body."""
        given = self.body(reader)
        room = self.room(room_id)
        return room, player_for(self.caller, given.get("player")), given


def _rooms() -> QuerySet[Room]:
    return Room.objects.select_related("ladder__game", "game", "host")
