"""The product without one of its defences, in this process only: a machine that finds nothing then proves nothing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from challenges import checks, meeting
from ratings.models import Player
from rooms import coming, lifecycle, start

__all__ = ["DEFENCES"]


@contextmanager
def _without_holding_players() -> Iterator[None]:
    """Whoever takes a seat does not hold the rows of the players."""
    with ExitStack() as stack:
        for place in (coming, lifecycle):
            stack.enter_context(patch.object(place, "hold_players", lambda _players: []))
        yield


def _without_looking_elsewhere() -> AbstractContextManager[Any]:
    """A match by a challenge begins whatever rooms its two sit in."""
    return patch.object(meeting, "check_elsewhere", lambda _by, _players: None)


def _without_holding_the_reported() -> AbstractContextManager[Any]:
    """Two reports that count at once do not wait for each other."""
    unheld = SimpleNamespace(select_for_update=lambda **_more: Player.objects)
    return patch("matchmaking.conduct.moderation.Player", SimpleNamespace(objects=unheld))


@contextmanager
def _without_conduct() -> Iterator[None]:
    """Rooms and challenges let in whoever cools off."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(coming, "check_not_cooling", lambda *_a, **_k: None))
        stack.enter_context(patch.object(checks, "cooling_until", lambda _player: None))
        stack.enter_context(patch.object(start, "standing_of", lambda *_a, **_k: {}))
        yield


DEFENCES: Mapping[str, Callable[[], AbstractContextManager[Any]]] = {
    "players": _without_holding_players,
    "places": _without_looking_elsewhere,
    "reports": _without_holding_the_reported,
    "conduct": _without_conduct,
}
