"""What is done in a room: one endpoint each, which answers the room as it is then."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth.acting_player import WHO_PROBLEMS
from api.auth.stream_rights import MAY_ACT
from api.contract.fields import ListOfField, TextField, TruthField, WholeField
from api.serializers.rooms import RoomShape
from api.views.bodies import PlayerBody
from api.views.rooms.base import (
    COMING,
    IN_ROOM,
    RoomEndpoint,
    SettingsBody,
    WishesBody,
    settings_in,
    wishes_in,
)
from rooms import coming, lifecycle, start
from rooms.tend import beat

__all__ = [
    "RoomCloseView",
    "RoomHeartbeatView",
    "RoomHostView",
    "RoomJoinView",
    "RoomLeaveView",
    "RoomPickView",
    "RoomReadyView",
    "RoomRemoveView",
    "RoomSeatView",
    "RoomSettingsView",
    "RoomStartView",
    "RoomStrikeView",
    "RoomVoteView",
    "RoomWatchView",
]
_SEAT = "From 0, team by team."


class JoinBody(WishesBody):
    """Who comes, where to sit, and by which right."""

    code = TextField(
        required=False, max_length=40, help_text="The room's code, for one that is closed."
    )
    seat = WholeField(required=False, min_value=0, max_value=9999, help_text=_SEAT)


class WatchBody(PlayerBody):
    """Who looks on, and by which right."""

    code = TextField(
        required=False, max_length=40, help_text="The room's code, for one that is closed."
    )


class SeatBody(PlayerBody):
    """Where to sit."""

    seat = WholeField(min_value=0, max_value=9999, help_text=_SEAT)


class ReadyBody(PlayerBody):
    """Ready or not."""

    ready = TruthField(help_text="Whether the player is ready.")


class MapBody(PlayerBody):
    """A map."""

    map = TextField(max_length=60, help_text="One of `maps`.")


class RoomMemberBody(PlayerBody):
    """Who acts, and on whom."""

    member = WholeField(help_text="The other player's id, as in `members`.")


class StartBody(PlayerBody):
    """Who starts, with which captains."""

    captains = ListOfField(
        child=WholeField(),
        required=False,
        max_length=100,
        help_text="With `team_choice` `draft`: ids of one player for each team; left out, the rule decides.",
    )


class _ActView(RoomEndpoint):
    """An endpoint that does one thing in a room."""

    access = {"POST": MAY_ACT}


class RoomJoinView(_ActView):
    """Taking a seat."""

    problems = {
        "POST": (
            *COMING,
            "room_over",
            "room_not_open",
            "room_full",
            "seat_taken",
            "room_refuses",
            "removed_from_room",
            "wrong_wishes",
        )
    }

    @extend_schema(summary="Join a room", request=JoinBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Takes a seat, the first that is free or `seat`; a party's leader takes seats for all. Whoever is refused by a
        filter gets `room_refuses` with the `reason`.
        """
        room, player, given = self.asked(room_id, JoinBody)
        code, seat = given.get("code", ""), given.get("seat")
        coming.join(room_id=room.pk, player=player, code=code, seat=seat, wishes=wishes_in(given))
        return self.answer(room.pk)


class RoomWatchView(_ActView):
    """Looking on."""

    problems = {
        "POST": (
            *WHO_PROBLEMS,
            "room_over",
            "room_not_open",
            "room_refuses",
            "removed_from_room",
            "already_in_room",
            "suspended",
            "cooling_off",
        )
    }

    @extend_schema(summary="Look on in a room", request=WatchBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Lets the player look on; whoever has a seat gives it up."""
        room, player, given = self.asked(room_id, WatchBody)
        coming.watch(room_id=room.pk, player=player, code=given.get("code", ""))
        return self.answer(room.pk)


class RoomLeaveView(_ActView):
    """Leaving."""

    problems = {"POST": IN_ROOM}

    @extend_schema(summary="Leave a room", request=PlayerBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Takes the player out. After the host another is; with the last one the room closes. A draft ends by it."""
        room, player, _given = self.asked(room_id, PlayerBody)
        lifecycle.leave(room_id=room.pk, player=player)
        return self.answer(room.pk)


class RoomSeatView(_ActView):
    """Another seat."""

    problems = {"POST": (*IN_ROOM, "room_not_open", "seat_taken")}

    @extend_schema(summary="Take another seat", request=SeatBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Moves a player who has a seat to another one that is free."""
        room, player, given = self.asked(room_id, SeatBody)
        lifecycle.sit_at(room_id=room.pk, player=player, seat=given["seat"])
        return self.answer(room.pk)


class RoomReadyView(_ActView):
    """Ready."""

    problems = {"POST": (*IN_ROOM, "room_not_open")}

    @extend_schema(summary="Be ready", request=ReadyBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Says whether the player is ready; with the last one the match begins where `start_rule` is `ready`."""
        room, player, given = self.asked(room_id, ReadyBody)
        lifecycle.set_ready(room_id=room.pk, player=player, is_ready=given["ready"])
        return self.answer(room.pk)


class RoomVoteView(_ActView):
    """A vote for a map."""

    problems = {"POST": (*IN_ROOM, "no_vote", "cannot_pick")}

    @extend_schema(summary="Vote for a map", request=MapBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Votes for a map, in place of the vote of before. The one that most want is played, of several by lot."""
        room, player, given = self.asked(room_id, MapBody)
        lifecycle.vote_for(room_id=room.pk, player=player, map_name=given["map"])
        return self.answer(room.pk)


class RoomPickView(_ActView):
    """A captain's pick."""

    problems = {"POST": (*IN_ROOM, "not_your_turn", "cannot_pick")}

    @extend_schema(summary="Pick a player", request=RoomMemberBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Picks a member for the captain's team, as the captain whose `turn` it is; with the last the match begins."""
        room, player, given = self.asked(room_id, RoomMemberBody)
        start.pick(room_id=room.pk, by=player, player=given["member"])
        return self.answer(room.pk)


class RoomStrikeView(_ActView):
    """A map struck out."""

    problems = {"POST": (*IN_ROOM, "not_your_turn", "cannot_pick")}

    @extend_schema(summary="Strike out a map", request=MapBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Strikes out a map, as the captain whose `turn` it is; the last one that is left is played."""
        room, player, given = self.asked(room_id, MapBody)
        start.strike(room_id=room.pk, by=player, map_name=given["map"])
        return self.answer(room.pk)


class RoomStartView(_ActView):
    """Starting."""

    problems = {
        "POST": (
            *IN_ROOM,
            "not_host",
            "room_not_open",
            "room_not_ready",
            "cannot_pick",
            "already_playing",
            "suspended",
            "not_available",
        )
    }

    @extend_schema(summary="Start a room's match", request=StartBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Begins the match of a full room, as its host; first captains pick and maps are struck out, where the room is
        so. Whoever cannot play any more loses the seat, and the answer says so.
        """
        room, player, given = self.asked(room_id, StartBody)
        start.start(room_id=room.pk, by=player, captains=given.get("captains", ()))
        return self.answer(room.pk)


class RoomSettingsView(_ActView):
    """Other settings."""

    problems = {"POST": (*IN_ROOM, "not_host", "room_not_open", "wrong_room", "suspended")}

    @extend_schema(summary="Change a room", request=SettingsBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Changes what is given, as the host. Members who fit no longer stay, with a `misfit` where ratings say so.
        Nobody is ready then.
        """
        room, player, given = self.asked(room_id, SettingsBody)
        with self.showing_given():
            lifecycle.change_settings(room_id=room.pk, by=player, settings=settings_in(given))
        return self.answer(room.pk)


class RoomRemoveView(_ActView):
    """Sending members away."""

    problems = {"POST": (*IN_ROOM, "not_host", "cannot_pick")}

    @extend_schema(
        summary="Remove a player from a room", request=RoomMemberBody, responses=RoomShape
    )
    def post(self, request: Request, room_id: int) -> Response:
        """Takes a member out for good, as the host. The room has another `code` then."""
        room, player, given = self.asked(room_id, RoomMemberBody)
        lifecycle.remove(room_id=room.pk, by=player, player=given["member"])
        return self.answer(room.pk)


class RoomHostView(_ActView):
    """Handing over."""

    problems = {"POST": (*IN_ROOM, "not_host", "cannot_pick")}

    @extend_schema(
        summary="Let another member be host", request=RoomMemberBody, responses=RoomShape
    )
    def post(self, request: Request, room_id: int) -> Response:
        """Makes a member the host, as the host."""
        room, player, given = self.asked(room_id, RoomMemberBody)
        lifecycle.hand_over(room_id=room.pk, by=player, to=given["member"])
        return self.answer(room.pk)


class RoomCloseView(_ActView):
    """Closing."""

    problems = {"POST": (*IN_ROOM, "not_host")}

    @extend_schema(summary="Close a room", request=PlayerBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Closes the room without a match, as the host."""
        room, player, _given = self.asked(room_id, PlayerBody)
        lifecycle.close_room(room_id=room.pk, by=player)
        return self.answer(room.pk)


class RoomHeartbeatView(_ActView):
    """A sign of life."""

    problems = {"POST": WHO_PROBLEMS}

    @extend_schema(summary="Give a sign of life in a room", request=PlayerBody, responses=RoomShape)
    def post(self, request: Request, room_id: int) -> Response:
        """Says that the player is there still: whoever is silent for too long loses the seat."""
        room, player, _given = self.asked(room_id, PlayerBody)
        beat(player.pk)
        return self.answer(room.pk)
