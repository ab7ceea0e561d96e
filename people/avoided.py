"""The list of avoided players, which lies above: shown on the page of people by what is handed in."""

from collections.abc import Callable

from ratings.models import Player

__all__ = ["avoided_of", "show_with"]

Shown = Callable[[int], list[Player]]
_shown: list[Shown] = []


def show_with(shown: Shown) -> None:
    """Let the app above say whom a player avoids, for the player itself. Called from an app's `ready()`."""
    _shown.append(shown)


def avoided_of(player_id: int) -> list[Player]:
    """Whom the player avoids, the latest first."""
    return [player for shown in _shown for player in shown(player_id)]
