"""Addresses of the pages on which players search and play."""

from django.urls import path

from matchmaking.views.answers import accept, cancel, decline, search_match
from matchmaking.views.lobby import play
from matchmaking.views.matches import play_match, report
from matchmaking.views.names import name_player
from matchmaking.views.rooms import room

urlpatterns = [
    path("", play, name="play"),
    path("matches/<int:pk>/", play_match, name="play-match"),
    path("matches/<int:pk>/report/", report, name="report"),
    path("tickets/<int:pk>/cancel/", cancel, name="cancel-search"),
    path("tickets/<int:pk>/accept/", accept, name="accept-offer"),
    path("tickets/<int:pk>/decline/", decline, name="decline-offer"),
    # Queues have a word of their own: one may be named "matches" or "tickets".
    path("in/<slug:slug>/", room, name="room"),
    path("in/<slug:slug>/search/", search_match, name="search-match"),
    path("in/<slug:slug>/player/", name_player, name="name-player"),
]
