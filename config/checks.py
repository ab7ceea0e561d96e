"""System checks: what an installation needs beyond what Django itself looks at."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


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
