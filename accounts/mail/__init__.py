"""Mail to accounts: asked for in a row of the database, written and sent by a worker."""

from django.conf import settings

__all__ = ["is_configured"]


def is_configured() -> bool:
    """Whether this site sends mail: the one place that everything which depends on it asks (docs/operators.md)."""
    return bool(settings.MAIL_CONFIGURED)
