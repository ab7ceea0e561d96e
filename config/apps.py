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
from config.settings.settings_file import who_else_may_read


class ConfigConfig(AppConfig):
    """The project, which lets the garbage collector begin."""

    default = True
    name = "config"
    verbose_name = "Evenmatch"

    def ready(self) -> None:
        """Say what is kept. Leave what has been loaded to the end of the process: no request looks through it."""
        from accounts.texts.retention import tell_with  # needs the models
        from config.maintenance.kept import what_is_kept

        tell_with(what_is_kept)
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


@register(Tags.security)
def secrets_are_closed(**_: Any) -> list[CheckMessage]:
    """Tell of a settings file with secrets that others than its owner may read."""
    return [CheckWarning(one, id="evenmatch.W002") for one in who_else_may_read(os.environ)]
