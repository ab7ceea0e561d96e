"""What lets every page say that its players are simulated."""

from typing import Any

from django import template
from django.conf import settings
from django.utils.translation import gettext

from demo.league import DESCRIPTIONS
from matchmaking.models import Queue
from ratings.models import Game, Ladder, Match, Player

register = template.Library()

# By these names pages carry what they are about; the first that is there decides.
_NAMES = ("match", "player", "queue", "ladder", "game")


@register.simple_tag
def demo_mode() -> bool:
    """Whether this site runs as a demo."""
    return bool(settings.DEMO)


@register.simple_tag(takes_context=True)
def simulated_game(context: template.Context) -> Game | None:
    """Return the game that a page is about if its players are simulated, else None."""
    games = (_game_of(context.get(name)) for name in _NAMES)
    game = next((game for game in games if game is not None), None)
    return game if game is not None and game.simulated else None


@register.filter
def described(thing: Game | Ladder) -> str:
    """What a game or ladder says of itself; the demo's own words in the visitor's language."""
    text = thing.description
    return gettext(text) if text in DESCRIPTIONS else text


def _game_of(thing: Any) -> Game | None:
    if isinstance(thing, Game):
        return thing
    if isinstance(thing, Queue | Match):
        thing = thing.ladder
    return thing.game if isinstance(thing, Ladder | Player) else None
