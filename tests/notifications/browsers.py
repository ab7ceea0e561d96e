"""Browsers of Ada that take push."""

from accounts.models import User
from notifications.push.subscribe import subscribe
from tests.notifications.receiver import Browser, Receiver

__all__ = ["ada", "add"]


def ada() -> User:
    """Her account."""
    return User.objects.get(username="Ada")


def add(receiver: Receiver, name: str) -> Browser:
    """Switch push on in one."""
    browser = Browser()
    subscribe(account=ada(), endpoint=receiver.address(name), **browser.keys)
    return browser
