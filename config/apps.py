"""The project itself as an app: its system checks, commands and tasks."""

import gc

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Registers the system checks, and lets the garbage collector begin."""

    name = "config"
    verbose_name = "Evenmatch"

    def ready(self) -> None:
        """Import the checks so that Django knows them."""
        from config import checks  # noqa: F401

        # What has been loaded is never garbage, so that no pass in the middle of a request looks through it.
        gc.freeze()
        gc.enable()
