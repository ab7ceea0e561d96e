"""The project itself as an app: its admin, its system checks, commands and tasks."""

import gc
import os
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin.apps import AdminConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as CheckWarning

from config.settings.environment import misspelled_settings


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


@register(Tags.security)
def settings_are_read(**_: Any) -> list[CheckMessage]:
    """Tell of variables that are set and that nobody reads, where their names are nearly those of others."""
    return [CheckWarning(one, id="evenmatch.W001") for one in misspelled_settings(os.environ)]
