"""The ground floor: clock, locks, bulk copying. No models."""

from django.apps import AppConfig


class FoundationConfig(AppConfig):
    """The ground floor as an app, for its template filters."""

    name = "foundation"
