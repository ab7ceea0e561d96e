"""Addresses of the pages on which players search and play."""

from django.urls import path

from matchmaking.views.lobby import play

urlpatterns = [path("", play, name="play")]
