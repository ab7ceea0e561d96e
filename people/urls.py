"""Addresses of the pages on which players look after friends, requests, those they follow, and blocks."""

from django.urls import path

from people.views import acts
from people.views.page import people
from people.views.profile import profile

urlpatterns = [
    path("", people, name="people"),
    path("contact/<id:pk>/", acts.choose_contact, name="choose-contact"),
    path("profile/<id:pk>/", profile, name="profile"),
    path("<id:pk>/friend/", acts.befriend, name="befriend"),
    path("<id:pk>/part/", acts.part, name="part"),
    path("<id:pk>/follow/", acts.follow, name="follow"),
    path("<id:pk>/unfollow/", acts.unfollow, name="unfollow"),
    path("<id:pk>/block/", acts.block, name="block"),
    path("<id:pk>/unblock/", acts.unblock, name="unblock"),
]
