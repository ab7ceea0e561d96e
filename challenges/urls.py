"""Addresses of challenges."""

from django.urls import path

from challenges.pages import views

urlpatterns = [
    path("", views.challenges, name="challenges"),
    path("<id:pk>/", views.challenge, name="challenge"),
    path("<id:pk>/accept/", views.accept, name="accept-challenge"),
    path("<id:pk>/decline/", views.decline, name="decline-challenge"),
    path("<id:pk>/withdraw/", views.withdraw, name="withdraw-challenge"),
    path("<id:pk>/cancel/", views.cancel, name="cancel-challenge"),
    path("<id:pk>/here/", views.here, name="challenge-here"),
    path("to/<id:pk>/", views.challenge_player, name="challenge-player"),
    path("as/<id:pk>/link/", views.new_link, name="new-challenge-link"),
    path("link/<slug:code>/", views.taken_link, name="challenge-link"),
    path("link/<slug:code>/take/", views.take, name="take-challenge"),
    path("after/<id:pk>/", views.ask_rematch, name="rematch"),
]
