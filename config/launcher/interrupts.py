"""The signals that end `bin/run`: each a KeyboardInterrupt, and none of them lost.

SIGUSR1 ends it like the others, and has it begin anew afterwards, unless another comes meanwhile.
"""

import signal
from types import FrameType

__all__ = ["check", "leave", "restart_is_wanted", "take"]

_KINDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)
_came = False
_first: int | None = None


def take() -> None:
    """Turn the first of them into KeyboardInterrupt, wherever the program is."""
    for kind in _KINDS:
        signal.signal(kind, _interrupt_once)


def leave() -> None:
    """Leave them to whatever this process becomes."""
    for kind in _KINDS:
        signal.signal(kind, signal.SIG_DFL)


def check() -> None:
    """Raise it again where one came: what is raised within a finalizer is printed and forgotten."""
    if _came:
        raise KeyboardInterrupt


def restart_is_wanted() -> bool:
    """Whether the signal that came first asks to begin anew, and no other came after it."""
    return _first == signal.SIGUSR1


def _interrupt_once(kind: int, _frame: FrameType | None) -> None:
    """Stopping itself is not interrupted."""
    global _came, _first
    _came, _first = True, kind
    for other in _KINDS:
        is_more = kind == signal.SIGUSR1 and other != kind
        signal.signal(other, _stop_for_good if is_more else signal.SIG_IGN)
    raise KeyboardInterrupt


def _stop_for_good(kind: int, _frame: FrameType | None) -> None:
    """Whoever stops it while it stops to begin anew would else wait for its end, and lose patience with it."""
    global _first  # noqa: PLW0603 - of this process
    _first = kind
