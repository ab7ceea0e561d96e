"""What the endpoints of rooms share: bodies, who may see a room, and how it is answered."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS, player_for
from api.contract.bodies import Body, WordField
from api.contract.field_errors import shown_at
from api.contract.fields import (
    ListOfField,
    NumberField,
    TextField,
    TruthField,
    WholeField,
    with_fields,
)
from api.serializers.rooms import FILTERS_SCHEMA, FiltersField, RoomShape
from api.views.base import ApiView
from api.views.bodies import PlayerBody
from api.views.searching.ticket_bodies import WISHES, OwnField, field_of
from foundation.postgresql.transactions import one_snapshot
from matchmaking.pairing.conditions import PREFERENCES
from ratings.models import Player
from rooms.models import Access, MapChoice, Room, StartRule, TeamChoice
from rooms.refusals import WrongRoomError
from rooms.seen import may_see, room_seen

__all__ = [
    "COMING",
    "IN_ROOM",
    "RoomEndpoint",
    "RoomNameField",
    "SettingsBody",
    "WishesBody",
    "wishes_in",
]

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


@extend_schema_field(
    {
        "type": "string",
        "minLength": 2,
        "maxLength": 60,
        "pattern": r"^\s*[^\s\u0000][^\u0000]*[^\s\u0000]\s*$",
    }
)
class RoomNameField(TextField):
    """What a room is called; the space around it does not count."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_length": 2, "max_length": 60, **kwargs})


def _text(most: int, **more: Any) -> TextField:
    return TextField(required=False, allow_blank=True, max_length=most, **more)


class SettingsBody(PlayerBody):
    """How a room is to be; what is left out stays, or is as rooms usually are."""

    name = RoomNameField(required=False)
    note = _text(200, help_text="Everybody who sees the room reads it.")
    category = _text(30, help_text="One of the game's categories.")
    access = WordField(choices=Access.values, required=False, help_text="Who may come.")
    group = WholeField(
        required=False,
        allow_null=True,
        help_text="With `access` `group`: id of a group that the host is in.",
    )
    team_choice = WordField(
        choices=TeamChoice.values, required=False, help_text="How teams are made."
    )
    map_choice = WordField(
        choices=MapChoice.values, required=False, help_text="How the map is chosen."
    )
    map = _text(60, help_text="With `map_choice` `host`.")
    start_rule = WordField(
        choices=StartRule.values, required=False, help_text="When the match begins."
    )
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
    found = {name: value for name, value in given.items() if name in names}
    if "group" in found:
        found["group_id"] = found.pop("group")
    return found


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

    @contextmanager
    def showing_given(self) -> Iterator[None]:
        """Within it a refusal of settings says what stands there."""
        try:
            yield
        except WrongRoomError as refusal:
            for error, wrong in zip(refusal.errors, refusal.wrong, strict=True):
                error.update(shown_at(self.request.data, wrong.path))
            raise

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
