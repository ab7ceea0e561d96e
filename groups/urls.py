"""Addresses of the pages of groups."""

from django.urls import path

from groups.pages import acts, views

urlpatterns = [
    path("", views.groups, name="groups"),
    path("new/<slug:slug>/", views.make_group, name="make-group"),
    path("suggestions/<slug:slug>/", acts.choose_suggestions, name="choose-suggestions"),
    path("random/<slug:slug>/", acts.want_random, name="want-random-group"),
    path("<id:pk>/", views.group, name="group"),
    path("<id:pk>/change/", views.change_group, name="change-group"),
    path("<id:pk>/join/", acts.join, name="join-group"),
    path("<id:pk>/decline/", acts.decline, name="decline-group"),
    path("<id:pk>/leave/", acts.leave, name="leave-group"),
    path("<id:pk>/invite/", acts.invite, name="invite-to-group"),
    path("<id:pk>/withdraw/", acts.withdraw, name="withdraw-from-group"),
    path("<id:pk>/remove/", acts.remove, name="remove-from-group"),
    path("<id:pk>/owner/", acts.hand_over, name="hand-over-group"),
    path("<id:pk>/show/", acts.show, name="show-to-group"),
    path("<id:pk>/keep/", acts.keep, name="keep-group"),
    path("<id:pk>/party/", acts.party, name="group-party"),
    path("<id:pk>/dissolve/", acts.dissolve, name="dissolve-group"),
]
