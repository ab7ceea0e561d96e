"""Addresses of the pages of clans."""

from django.urls import include, path

from clans.pages import acts, boards, views

_pages = [
    path("", views.clans, name="clans"),
    path("new/<slug:slug>/", views.found_clan, name="found-clan"),
    path("of/<id:pk>/", views.clan_of_player, name="clan-of-player"),
    path("<id:pk>/", views.clan, name="clan"),
    path("<id:pk>/change/", views.change_clan, name="change-clan"),
    path("<id:pk>/join/", acts.join, name="join-clan"),
    path("<id:pk>/apply/", acts.apply, name="apply-to-clan"),
    path("<id:pk>/take-back/", acts.take_back, name="take-back-application"),
    path("<id:pk>/decline/", acts.decline, name="decline-clan"),
    path("<id:pk>/leave/", acts.leave, name="leave-clan"),
    path("<id:pk>/invite/", acts.invite, name="invite-to-clan"),
    path("<id:pk>/withdraw/", acts.withdraw, name="withdraw-from-clan"),
    path("<id:pk>/accept/", acts.accept, name="accept-into-clan"),
    path("<id:pk>/turn-down/", acts.turn_down, name="turn-down-applicant"),
    path("<id:pk>/remove/", acts.remove, name="remove-from-clan"),
    path("<id:pk>/officer/", acts.appoint, name="appoint-in-clan"),
    path("<id:pk>/leader/", acts.hand_over, name="hand-over-clan"),
    path("<id:pk>/dissolve/", acts.dissolve, name="dissolve-clan"),
]
urlpatterns = [
    path("clans/", include(_pages)),
    path("ladders/<slug:slug>/clans/", boards.ladder_clans, name="ladder-clans"),
]
