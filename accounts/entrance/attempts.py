"""What is known of the password of an attempt to sign in, should the site give it up before it has answered."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["attempted", "found_right", "found_wrong"]


class Attempt:
    """One attempt; `is_wrong` as soon as its password was compared and was not the right one."""

    is_wrong = False


_current: ContextVar[Attempt | None] = ContextVar("attempt", default=None)


@contextmanager
def attempted() -> Iterator[Attempt]:
    """Follow what comes out for the password within the block."""
    attempt = Attempt()
    token = _current.set(attempt)
    try:
        yield attempt
    finally:
        _current.reset(token)


def found_right() -> None:
    """Keep in mind that the password is right."""
    if (attempt := _current.get()) is not None:
        attempt.is_wrong = False


def found_wrong() -> None:
    """Keep in mind that the password is wrong, or that there is no account it could be right for."""
    if (attempt := _current.get()) is not None:
        attempt.is_wrong = True
