"""The nouns of rooms, one a file."""

from rooms.models.lobbies import Lobby
from rooms.models.members import RoomMember
from rooms.models.rooms import LIVE, Access, MapChoice, Room, RoomState, StartRule, TeamChoice

__all__ = [
    "LIVE",
    "Access",
    "Lobby",
    "MapChoice",
    "Room",
    "RoomMember",
    "RoomState",
    "StartRule",
    "TeamChoice",
]
