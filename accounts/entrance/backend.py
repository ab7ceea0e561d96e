"""Finding the account that somebody signs in to: by its name, or by an address that it has confirmed."""

import unicodedata
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import get_user_by_username
from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from accounts.entrance.attempts import found_wrong
from accounts.models import User

__all__ = ["ConfirmedBackend", "find_account"]


def find_account(login: str) -> User | None:
    """The account that `login` means; an address counts only where it is confirmed.

    A name of before the rules of names may look like an address: written as it is, it means its own account.
    """
    if "@" not in login:
        return get_user_by_username(login)
    named = User.objects.filter(username=login).first()
    return named or _by_address(login) or get_user_by_username(login)


def account_key(login: str) -> str:
    """By what attempts are counted: an address as it is typed, or the account whose name it is, however spelled.

    Name and address of one account are not counted together: whoever uses the attempts of a name up would see, by those
    of an address, whether it belongs to it.
    """
    typed = unicodedata.normalize("NFKC", login).strip().casefold()
    if "@" in typed:
        return f"address:{typed}"
    account = get_user_by_username(login)
    return f"name:{typed}" if account is None else f"account:{account.pk}"


def _by_address(login: str) -> User | None:
    rows = EmailAddress.objects.filter(email=login.strip().lower(), verified=True)
    address = rows.select_related("user").first()
    return None if address is None else address.user


class ConfirmedBackend(AuthenticationBackend):
    """django-allauth's, except that an address nobody has confirmed is nobody's.

    Each attempt takes the work of one password, whatever was typed: else time would tell which addresses are known.
    """

    def _authenticate(
        self, request: HttpRequest | None, **credentials: Any
    ) -> AbstractBaseUser | None:
        # Who is asked again for the password goes by its name: the address that is given with it may be unconfirmed.
        account = find_account(credentials.get("username") or credentials.get("email") or "")
        if account is None:
            found_wrong()  # counted like one that is: else attempts would tell whose an address is
            return None
        return self._check_password(account, credentials["password"])
