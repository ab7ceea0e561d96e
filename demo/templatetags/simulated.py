"""What lets every page say that its players are simulated."""

from django import template
from django.conf import settings
from django.utils.translation import gettext

from demo import league
from demo.arena import setting
from matchmaking.models import Queue
from ratings.models import Game, Ladder, Match, Player

register = template.Library()

_OWN_WORDS = league.DESCRIPTIONS | setting.DESCRIPTIONS

# By these names pages carry what they are about; the first that is there decides.
_NAMES = ("match", "player", "queue", "ladder", "game")


@register.simple_tag
def demo_mode() -> bool:
    """Whether this site runs as a demo."""
    return bool(settings.DEMO)


@register.simple_tag(takes_context=True)
def simulated_game(context: template.Context) -> Game | None:
    """Return the game that a page is about if its players are simulated, else None."""
    for name in _NAMES:
        thing = context.get(name)
        if isinstance(thing, Queue | Match):
            thing = thing.ladder
        if isinstance(thing, Ladder | Player):
            thing = thing.game
        if isinstance(thing, Game):
            return thing if thing.simulated else None
    return None


@register.filter
def described(thing: Game | Ladder) -> str:
    """What a game or ladder says of itself; the demo's own words in the visitor's language."""
    text = thing.description
    return gettext(text) if text in _OWN_WORDS else text
