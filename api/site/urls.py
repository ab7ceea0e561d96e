"""Addresses of the page of tokens."""

from django.urls import path

from api.site import views

urlpatterns = [
    path("", views.tokens, name="player-tokens"),
    path("<int:pk>/revoke/", views.revoke, name="player-token-revoke"),
]
