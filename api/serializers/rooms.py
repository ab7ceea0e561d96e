"""Rooms, and lists of them."""

from typing import Any

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from api.serializers.words import ROOM_STATES
from foundation.countries import COUNTRIES
from people.models import AgeGroup
from rooms.listing import ListedRoom
from rooms.models import Access, MapChoice, RoomMember, StartRule, TeamChoice
from rooms.seen import RoomSeen

__all__ = [
    "ACCESS",
    "FILTERS_SCHEMA",
    "ChoicesShape",
    "FiltersField",
    "ListedRoomShape",
    "RoomShape",
]

ACCESS = Access.values
_WORDS = {"type": "array", "items": {"type": "string"}}
FILTERS_SCHEMA: dict[str, Any] = {
    "rating": {
        "type": "object",
        "properties": {"low": {"type": "number"}, "high": {"type": "number"}},
        "description": "Lowest and highest rating, either alone too. On ranked ladders only.",
    },
    "chance": {
        "type": "number",
        "minimum": 0.01,
        "maximum": 0.5,
        "description": "How far from even a match with the host may be. On ranked ladders only.",
    },
    "established": {"type": "boolean", "description": "Established players only. On ranked ladders only."},
    "languages": {**_WORDS, "description": "One of these; whoever names none speaks with everyone."},
    "regions": {**_WORDS, "description": "Plays in one of these."},
    "latency": {"type": "number", "description": "Milliseconds at most to one of the regions."},
    "styles": {**_WORDS, "description": "Plays in one of these styles."},
    "rules": {**_WORDS, "description": "Wants one of these rules, or none."},
    "tags": {**_WORDS, "description": "Short names of tags of profiles; whoever has none may come, too."},
    "countries": {
        "type": "array",
        "items": {"type": "string", "enum": sorted(COUNTRIES)},
        "description": "Tells one of these in the profile, or none.",
    },
    "age_groups": {
        "type": "array",
        "items": {"type": "string", "enum": AgeGroup.values},
        "description": "Tells one of these in the profile, or none.",
    },
    "conduct": {"type": "boolean", "description": "No high conduct score."},
    "own": {"type": "boolean", "description": "The game's own conditions hold between host and player."},
}  # fmt: skip


class FiltersField(serializers.JSONField):
    """What a room asks of those who come."""


class _RoomFields(Shape):
    """What is told of a room everywhere."""

    id = serializers.IntegerField(source="room.pk")
    game = serializers.CharField(source="room.game.slug", help_text="Short name of the game.")
    ladder = serializers.CharField(
        source="room.ladder.slug", help_text="Short name of the ladder of its match."
    )
    name = serializers.CharField(source="room.name")
    note = serializers.CharField(source="room.note")
    category = serializers.CharField(source="room.category")
    host = PlayerRefShape(source="room.host")
    state = serializers.ChoiceField(source="room.state", choices=ROOM_STATES)
    access = serializers.ChoiceField(source="room.access", choices=ACCESS)
    team_count = serializers.IntegerField(source="room.team_count")
    team_size = serializers.IntegerField(source="room.team_size")
    created_at = serializers.DateTimeField(source="room.created_at")


class ListedRoomShape(_RoomFields):
    """A room in a list."""

    seated = serializers.IntegerField(help_text="Seats that are taken.")
    watching = serializers.IntegerField(help_text="Who looks on.")
    reason = serializers.CharField(
        allow_null=True,
        help_text="Why the player may not come in: `full`, `starting`, `code`, a filter or `closed_to_you`.",
    )
    mine = serializers.BooleanField(source="is_own", help_text="Whether the player is in it.")

    def get_reason(self, listed: ListedRoom) -> str | None:
        return listed.reason or None


class RoomMemberShape(Shape):
    """A player in a room."""

    player = PlayerRefShape()
    seat = serializers.IntegerField(
        allow_null=True, help_text="From 0, team by team; null: looks on."
    )
    ready = serializers.BooleanField(source="is_ready")
    team = serializers.IntegerField(
        allow_null=True, help_text="As captains have picked; null before."
    )
    captain = serializers.BooleanField(help_text="Picks players, or strikes out maps.")
    vote = serializers.CharField(allow_null=True, help_text="The map that the player wants.")
    misfit = serializers.CharField(
        allow_null=True,
        help_text="The filter by ratings that the player fits no longer; of other filters nothing is told.",
    )

    def get_captain(self, member: RoomMember) -> bool:
        return member.player_id in self.context["captains"]

    def get_vote(self, member: RoomMember) -> str | None:
        return member.vote or None

    def get_misfit(self, member: RoomMember) -> str | None:
        return member.misfit or None


class RoomShape(_RoomFields):
    """A room, with who is in it and how it is to be."""

    code = serializers.CharField(
        allow_null=True, help_text="Whoever has it may come; null for whoever is not in the room."
    )
    group = serializers.IntegerField(
        source="room.group_id",
        allow_null=True,
        help_text="Id of the group whose members may come, with `access` `group`.",
    )
    team_choice = serializers.ChoiceField(source="room.team_choice", choices=TeamChoice.values)
    map_choice = serializers.ChoiceField(source="room.map_choice", choices=MapChoice.values)
    map = serializers.CharField(allow_null=True, help_text="The host's map, or the one played.")
    start_rule = serializers.ChoiceField(source="room.start_rule", choices=StartRule.values)
    rated = serializers.BooleanField(
        source="room.rated", help_text="Whether its match counts for ratings."
    )
    options = serializers.ListField(source="room.options", child=serializers.CharField())
    filters = FiltersField(source="room.filters", help_text="What it asks of those who come.")
    maps = serializers.ListField(
        source="maps_left",
        child=serializers.CharField(),
        help_text="To vote for, or to strike out.",
    )
    struck = serializers.ListField(source="room.struck", child=serializers.CharField())
    members = RoomMemberShape(many=True, help_text="The longest member first.")
    turn = serializers.IntegerField(
        allow_null=True, help_text="Id of the player who picks or strikes out now."
    )
    seconds_left = serializers.FloatField(allow_null=True, help_text="Seconds left for that.")
    match = serializers.IntegerField(
        allow_null=True, help_text="Id of its match, for those who play in it and for servers."
    )
    ended_at = serializers.DateTimeField(source="room.ended_at", allow_null=True)

    def get_code(self, seen: RoomSeen) -> str | None:
        return seen.room.code if self._is_inside(seen) else None

    def get_map(self, seen: RoomSeen) -> str | None:
        return seen.room.map or None

    def get_seconds_left(self, seen: RoomSeen) -> float | None:
        return None if seen.turn is None else round(seen.seconds_left, 3)

    def get_match(self, seen: RoomSeen) -> int | None:
        return seen.room.match_id

    def _is_inside(self, seen: RoomSeen) -> bool:
        player = self._caller.player
        return self._caller.serves(seen.room.game_id) or (
            player is not None and seen.own(player.pk) is not None
        )


class ChoicesShape(Shape):
    """What rooms of a ladder can be like."""

    ladder = serializers.CharField()
    open = serializers.BooleanField(help_text="Whether it takes rooms now.")
    categories = serializers.ListField(child=serializers.CharField())
    team_count = serializers.IntegerField()
    team_size = serializers.IntegerField()
    maps = serializers.ListField(child=serializers.CharField())
    filters = serializers.ListField(
        child=serializers.CharField(), help_text="Names of the filters that its rooms can have."
    )
    turn_seconds = serializers.IntegerField(help_text="Seconds for a pick or a map.")
    silent_seconds = serializers.IntegerField(
        help_text="Seconds without a sign of life that cost a seat."
    )
