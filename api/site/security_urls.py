"""Addresses of the page of what opens an account."""

from django.urls import path

from api.site import security

urlpatterns = [
    path("", security.overview, name="account-security"),
    path("address/<int:pk>/remove/", security.remove_address, name="account-address-remove"),
    path("sign-in/<int:pk>/end/", security.end_sign_in, name="account-sign-in-end"),
    path("end-all/", security.end_all, name="account-end-all"),
]
