"""Addresses of the pages about notices."""

from django.urls import path

from notifications.pages.browsers import add_browser, know_browser, remove_browser
from notifications.pages.centre import delete_notices, notifications, open_notice, read_notices
from notifications.pages.choices import notification_choices
from notifications.pages.unsubscribe import unsubscribe

urlpatterns = [
    path("", notifications, name="notifications"),
    path("read/", read_notices, name="read-notices"),
    path("delete/", delete_notices, name="delete-notices"),
    path("<id:pk>/open/", open_notice, name="open-notice"),
    path("choices/", notification_choices, name="notification-choices"),
    path("browsers/add/", add_browser, name="add-browser"),
    path("browsers/know/", know_browser, name="know-browser"),
    path("browsers/<id:pk>/remove/", remove_browser, name="remove-browser"),
    path("unsubscribe/<str:token>/", unsubscribe, name="unsubscribe"),
]
