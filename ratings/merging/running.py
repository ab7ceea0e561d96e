"""What a player is at: searches and parties, of which apps above know, and matches that nobody has decided."""

from collections.abc import Callable

from accounts.models import User
from ratings.matches.decide import abort
from ratings.models import OPEN, Match, Player

__all__ = ["Finder", "end_running", "end_searches", "open_matches", "running_of", "running_with"]

# What the player is at, in words; and the same ended.
Finder = Callable[[Player], list[str]]
Ender = Callable[[Player], object]
_known: list[tuple[Finder, Ender]] = []


def running_with(find: Finder, end: Ender) -> None:
    """Let an app above say what a player is at, and end it. Called from an app's `ready()`."""
    _known.append((find, end))


def running_of(player: Player) -> list[str]:
    """What the player is at, in words, each by itself."""
    words = [text for find, _end in _known for text in find(player)]
    return words + [str(match) for match in open_matches(player)]


def end_searches(player: Player) -> None:
    """End searches, and leave parties, each in a transaction of its own."""
    for _find, end in _known:
        end(player)


def end_running(player: Player, *, by: User | None, note: str) -> None:
    """End it all; matches without a result are aborted. Each by itself, in transactions of their own."""
    end_searches(player)
    for match in open_matches(player):
        abort(match_id=match.pk, by=by, note=note)


def open_matches(player: Player) -> list[Match]:
    """Matches of a player that have no result."""
    return list(Match.objects.filter(participants__player=player, state__in=OPEN).order_by("pk"))
