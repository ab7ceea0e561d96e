"""The project itself as an app: its system checks, commands and tasks."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Registers the system checks."""

    name = "config"
    verbose_name = "Evenmatch"

    def ready(self) -> None:
        """Import the checks so that Django knows them."""
        from config import checks  # noqa: F401
