"""Readers of streams: the names under which their streams are counted, and the rights that a stream depends on.

A right is a name such as `token:7`. An app that opens streams by a kind of right registers how to see which of these
are still good. A stream ends when one of its rights expires, when the end of one is broadcast (`broadcast_ended`), and,
should that message be lost, when rights are checked again: once for all streams of a process every few seconds, in a
thread of its own.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import structlog
from django.db import DatabaseError, connection

__all__ = [
    "CHECK_EVERY",
    "NOBODY",
    "Reader",
    "lost_rights",
    "note_ended",
    "register_right",
    "tell_of_ended",
]

log = structlog.get_logger(__name__)

CHECK_EVERY = 3.0  # seconds

StillGood = Callable[[Collection[str]], Collection[str]]
_kinds: dict[str, StillGood] = {}
_told: list[Callable[[Iterable[str] | None], None]] = []


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a stream. `seconds`: how long the rights last; None for as long as nobody ends them.

    `passing`: those of the rights after whose end the reader may open another stream, and hears of other things then.
    """

    address: str = ""
    principal: str = ""
    rights: frozenset[str] = frozenset()
    passing: frozenset[str] = frozenset()
    seconds: float | None = None


NOBODY = Reader()


def register_right(kind: str, still_good: StillGood) -> None:
    """Let `still_good` say which rights `kind:…` are good, given what follows the colon. For `ready()`."""
    _kinds[kind] = still_good


def tell_of_ended(function: Callable[[Iterable[str] | None], None]) -> None:
    """Let a function know of rights whose end is broadcast; None: of any, for messages may be missed. For `ready()`."""
    _told.append(function)


def note_ended(rights: Iterable[str] | None) -> None:
    """Tell them."""
    for function in _told:
        function(rights)


def lost_rights(rights: Iterable[str]) -> set[str]:
    """Which of the rights are no longer good; none while the database does not answer."""
    by_kind: defaultdict[str, set[str]] = defaultdict(set)
    for right in rights:
        kind, _, name = right.partition(":")
        by_kind[kind].add(name)
    lost: set[str] = set()
    try:
        for kind, names in by_kind.items():
            good = set(_kinds[kind](names))
            lost |= {f"{kind}:{name}" for name in names - good}
    except DatabaseError as error:
        log.warning("live.rights_not_seen", error=str(error))
    finally:
        if not connection.in_atomic_block:
            connection.close()
    return lost
