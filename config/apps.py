"""The project itself as an app: its admin, its system checks, commands and tasks."""

import gc
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.core.checks import CheckMessage, Error, Tags, register


class ConfigConfig(AppConfig):
    """The project, which lets the garbage collector begin."""

    default = True
    name = "config"
    verbose_name = "Evenmatch"

    def ready(self) -> None:
        """Leave what has been loaded to the end of the process: no pass in a request looks through it."""
        gc.freeze()
        gc.enable()


class EvenmatchAdminConfig(AdminConfig):
    """Django's admin with the site of Evenmatch in place of its own."""

    default = False
    default_site = "config.admin_site.EvenmatchAdminSite"


@register(Tags.database)
def database_is_postgresql(**_: Any) -> list[CheckMessage]:
    """Refuse any other database: the locks and constraints that everything rests on exist only there."""
    engine = settings.DATABASES["default"]["ENGINE"]
    if engine == "django.db.backends.postgresql":
        return []
    return [
        Error(
            f"The database engine is {engine}.",
            hint="DATABASE_URL must begin with postgresql://; Evenmatch runs on PostgreSQL only.",
            id="evenmatch.E001",
        )
    ]
