"""Addresses of the pages of rooms."""

from django.urls import path

from rooms.pages import actions, invited, views

urlpatterns = [
    path("", views.rooms, name="rooms"),
    path("find/", views.find_room, name="find-room"),
    path("open/<slug:slug>/", views.open_room, name="open-room"),
    path("<id:pk>/", views.room_page, name="room"),
    path("<id:pk>/change/", views.change_room, name="change-room"),
    path("<id:pk>/name/", invited.come_with_a_name, name="come-into-room"),
    path("<id:pk>/join/", actions.join, name="join-room"),
    path("<id:pk>/watch/", actions.watch, name="watch-room"),
    path("<id:pk>/leave/", actions.leave, name="leave-room"),
    path("<id:pk>/seat/", actions.sit, name="sit-in-room"),
    path("<id:pk>/ready/", actions.ready, name="ready-in-room"),
    path("<id:pk>/vote/", actions.vote, name="vote-in-room"),
    path("<id:pk>/pick/", actions.pick, name="pick-in-room"),
    path("<id:pk>/strike/", actions.strike, name="strike-in-room"),
    path("<id:pk>/start/", actions.start_room, name="start-room"),
    path("<id:pk>/remove/", actions.remove, name="remove-from-room"),
    path("<id:pk>/host/", actions.hand_over, name="hand-over-room"),
    path("<id:pk>/close/", actions.close, name="close-room"),
]
