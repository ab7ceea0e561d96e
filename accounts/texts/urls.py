"""Addresses of the site's own pages."""

from django.urls import path

from accounts.texts import views

urlpatterns = [
    path("imprint/", views.page, {"kind": "imprint"}, name="site-imprint"),
    path("privacy/", views.page, {"kind": "privacy"}, name="site-privacy"),
    path("rules/", views.page, {"kind": "rules"}, name="site-rules"),
    path("rules/accept/", views.accept, name="accept-rules"),
]
