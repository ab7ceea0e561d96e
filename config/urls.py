"""Addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from api.site.connect import connect
from config.monitoring import health
from config.monitoring.metrics import metrics

handler400 = "config.web.errors.bad_request"
handler404 = "config.web.errors.not_found"
handler429 = "config.web.errors.too_many_requests"
handler500 = "config.web.errors.server_error"
urlpatterns = [
    path("", include("leaderboards.urls")),
    path("", include("accounts.texts.urls")),
    path("play/", include("matchmaking.urls")),
    path("people/", include("people.urls")),
    path("groups/", include("groups.urls")),
    path("", include("clans.urls")),
    path("rooms/", include("rooms.urls")),
    path("", include("moderation.urls")),
    path("talk/", include("talk.urls")),
    path("challenges/", include("challenges.urls")),
    path("notifications/", include("notifications.urls")),
    path("api/v1/", include("api.urls")),
    path("connect/<slug:game>/<slug:server>", connect, name="connect"),
    path("connect/<slug:game>/<slug:server>/<slug:secret>", connect, name="connect-in-address"),
    path("accounts/", include("api.site.urls")),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("metrics", metrics, name="metrics"),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("health/backups", health.backups, name="health-backups"),
    path("health/workers", health.workers, name="health-workers"),
]
