"""`manage.py createsuperuser`: Django's, with the rules for names of this site."""

from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import IntegrityError
from django.db.models.signals import post_save

from accounts import audit
from accounts.models import User


class Command(createsuperuser.Command):
    """Asks again for, or refuses, a name that disguises itself, or looks like an address or another account's."""

    def handle(self, *args: Any, **options: Any) -> None:
        # Django's command does not say which account it has made.
        post_save.connect(_record, sender=User)
        try:
            super().handle(*args, **options)
        except IntegrityError as error:
            raise CommandError(f"Another account was faster: {error}") from None
        finally:
            post_save.disconnect(_record, sender=User)

    def _validate_username(self, username: str, *about: Any) -> str | None:
        """What is wrong with it, in words."""
        found: str | None = super()._validate_username(username, *about)  # type: ignore[misc]
        if found:
            return found
        try:
            User(username=username).check_name()
        except ValidationError as error:
            return f"Error: {'; '.join(error.messages)}"
        return None


def _record(instance: User, created: bool, **_about: Any) -> None:
    if created:
        after = {name: getattr(instance, name) for name in ("username", "email", "is_superuser")}
        audit.record(actor=None, action="user.added", target=instance, after=after)
