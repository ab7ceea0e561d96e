"""What apps above show beside a party, a room or a match on the pages of its players: they hand in who makes it."""

from collections.abc import Callable

from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

__all__ = ["Beside", "beside", "show_with"]

# Given the request, "party", "room" or "match", its id, the game's and the visitor's player; empty: nothing.
Beside = Callable[[HttpRequest, str, int, int, int], str]
_shown: list[Beside] = []


def show_with(make: Beside) -> None:
    """Let an app above show something. Called from its `ready()`."""
    _shown.append(make)


def beside(request: HttpRequest, what: str, pk: int, game_id: int, player_id: int) -> SafeString:
    """All of it, in the order in which it was handed in."""
    parts = [(make(request, what, pk, game_id, player_id),) for make in _shown]
    return format_html_join("", "{}", parts)
