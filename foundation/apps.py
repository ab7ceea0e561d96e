"""The ground floor: clock, locks, bulk copying, and whether time is steady."""

from django.apps import AppConfig


class FoundationConfig(AppConfig):
    """The ground floor as an app, for its template filters and heartbeats."""

    name = "foundation"
