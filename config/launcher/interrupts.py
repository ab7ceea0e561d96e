"""The signals that end `bin/run`: each a KeyboardInterrupt, and none of them lost."""

import signal
from types import FrameType

__all__ = ["check", "take"]

_KINDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_came = False


def take() -> None:
    """Turn the first of them into KeyboardInterrupt, wherever the program is."""
    for kind in _KINDS:
        signal.signal(kind, _interrupt_once)


def check() -> None:
    """Raise it again where one came: what is raised within a finalizer is printed and forgotten."""
    if _came:
        raise KeyboardInterrupt


def _interrupt_once(_kind: int, _frame: FrameType | None) -> None:
    """Stopping itself is not interrupted."""
    global _came  # noqa: PLW0603 - signals belong to the process
    _came = True
    for kind in _KINDS:
        signal.signal(kind, signal.SIG_IGN)
    raise KeyboardInterrupt
