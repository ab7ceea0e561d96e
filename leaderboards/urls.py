"""Addresses of the public pages."""

from django.urls import path

from leaderboards import views

urlpatterns = [
    path("", views.home, name="home"),
    path("games/<slug:slug>/", views.game, name="game"),
    path("ladders/<slug:slug>/", views.leaderboard, name="leaderboard"),
    path("players/<int:pk>/", views.player, name="player"),
    path("matches/<int:pk>/", views.match, name="match"),
    path("search/", views.search, name="search"),
    path("live/", views.live, name="live"),
]
