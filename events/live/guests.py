"""Who listens: whose streams are counted together, and what a stream's right to be hangs on.

A right is a name such as `token:7`. Whoever lets somebody listen by it registers how to see which of such rights are
still good. A stream ends when one of its rights expires, when its end is told (`end_rights`), and, should that be
lost, when it is looked at again: once for all streams of a process every few seconds, in a thread of its own.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import structlog
from django.db import DatabaseError, connection

__all__ = ["LOOK_EVERY", "NOBODY", "Guest", "good_while", "lost_of"]

log = structlog.get_logger(__name__)

LOOK_EVERY = 3.0  # seconds

StillGood = Callable[[Collection[str]], Collection[str]]
_kinds: dict[str, StillGood] = {}


@dataclass(frozen=True, slots=True)
class Guest:
    """One who listens. `seconds`: how long the rights last; None for as long as nobody ends them."""

    address: str = ""
    principal: str = ""
    rights: frozenset[str] = frozenset()
    seconds: float | None = None


NOBODY = Guest()


def good_while(kind: str, still_good: StillGood) -> None:
    """Let `still_good` say which rights `kind:…` are good: it is given what follows the colon. From `ready()`."""
    _kinds[kind] = still_good


def lost_of(rights: Iterable[str]) -> set[str]:
    """Those of the rights that are not good any more; none while the database does not answer."""
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
