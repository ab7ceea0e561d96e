"""Addresses of talk."""

from django.urls import path

from talk import views

urlpatterns = [
    path("muted/", views.muted, name="muted"),
    path("muted/<id:pk>/", views.mute, name="mute"),
    path("muted/<id:pk>/stop/", views.unmute, name="unmute"),
    path("<slug:kind>/<id:pk>/", views.talk, name="talk"),
]
