"""`manage.py createsuperuser`: Django's, with the rules for names of this site."""

from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import IntegrityError

from accounts.models import User


class Command(createsuperuser.Command):
    """Asks again for, or refuses, a name that disguises itself or looks like another account's."""

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            super().handle(*args, **options)
        except IntegrityError as error:
            raise CommandError(f"Another account was faster: {error}") from None

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
