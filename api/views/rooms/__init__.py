"""Rooms: listing, opening, coming in, and what is done in one."""

from api.views.rooms.acts import (
    RoomCloseView,
    RoomHeartbeatView,
    RoomHostView,
    RoomJoinView,
    RoomLeaveView,
    RoomPickView,
    RoomReadyView,
    RoomRemoveView,
    RoomSeatView,
    RoomSettingsView,
    RoomStartView,
    RoomStrikeView,
    RoomVoteView,
    RoomWatchView,
)
from api.views.rooms.lists import RoomChoicesView, RoomCodeView, RoomsView, RoomView

__all__ = [
    "RoomChoicesView",
    "RoomCloseView",
    "RoomCodeView",
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
    "RoomView",
    "RoomVoteView",
    "RoomWatchView",
    "RoomsView",
]
