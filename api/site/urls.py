"""Addresses of the pages of tokens, and of what opens an account."""

from django.urls import path

from api.site import security, views

urlpatterns = [
    path("tokens/", views.tokens, name="player-tokens"),
    path("tokens/<id:pk>/revoke/", views.revoke, name="player-token-revoke"),
    path("data/", views.data, name="own-data"),
    path("delete/", views.delete, name="delete-account"),
    path("security/", security.overview, name="account-security"),
    path(
        "security/address/<id:pk>/remove/",
        security.remove_address,
        name="account-address-remove",
    ),
    path("security/sign-in/<id:pk>/end/", security.end_sign_in, name="account-sign-in-end"),
    path("security/end-all/", security.end_all, name="account-end-all"),
]
