"""Lobbies: what an operator has chosen for the rooms of a game."""

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from foundation.ranges import Ranges, constraints_of, validators_of
from ratings.models import Game

__all__ = ["CATEGORIES", "RANGES", "Lobby"]

# What rooms of a game are sorted by where its operator has written no list.
CATEGORIES = ("casual", "serious", "beginners", "custom")
_LONGEST_CATEGORY, _MOST_CATEGORIES = 30, 20
RANGES: Ranges = {
    "idle_minutes": (1, 1440),
    "silent_seconds": (20, 3600),
    "turn_seconds": (5, 600),
    "most_rooms": (1, 10_000),
}


class Lobby(models.Model):
    """The rooms of a game: whether there are any, how they are sorted, and how long they wait. Without a row of its own
    a game has what is written here.
    """

    game = models.OneToOneField(
        Game, verbose_name=_("game"), on_delete=models.CASCADE, related_name="lobby"
    )
    is_open = models.BooleanField(
        _("open"), default=True, help_text=_("A closed lobby takes no new rooms.")
    )
    categories = models.TextField(
        _("categories"),
        blank=True,
        help_text=_("One a line. Empty: casual, serious, beginners, custom."),
    )
    idle_minutes = models.PositiveIntegerField(
        _("minutes until an idle room closes"),
        default=30,
        validators=validators_of(RANGES, "idle_minutes"),
        help_text=_("A room in which nobody has done anything for this long closes. 1 to 1,440."),
    )
    silent_seconds = models.PositiveIntegerField(
        _("seconds until a silent player loses the seat"),
        default=120,
        validators=validators_of(RANGES, "silent_seconds"),
        help_text=_("Counted from the last sign of life of a page or game. 20 to 3,600."),
    )
    turn_seconds = models.PositiveIntegerField(
        _("seconds for a pick or a veto"),
        default=30,
        validators=validators_of(RANGES, "turn_seconds"),
        help_text=_("When they are over, the pick is made by rule. 5 to 600."),
    )
    most_rooms = models.PositiveIntegerField(
        _("rooms at most"),
        default=500,
        validators=validators_of(RANGES, "most_rooms"),
        help_text=_("Open at the same time. 1 to 10,000."),
    )

    class Meta:
        verbose_name = _("lobby")
        verbose_name_plural = _("lobbies")
        ordering = ["game_id"]
        constraints = constraints_of(RANGES, "lobby_{}")

    def __str__(self) -> str:
        return gettext("Rooms of %(game)s") % {"game": self.game}

    def clean(self) -> None:
        """Refuse what could not be shown whole."""
        words = _words_in(self.categories)
        for word in words:
            if len(word) > _LONGEST_CATEGORY:
                text = gettext(
                    "A category has at most %(most)d characters; “%(word)s” has %(number)d."
                )
                values = {
                    "most": _LONGEST_CATEGORY,
                    "word": f"{word[:_LONGEST_CATEGORY]}…",
                    "number": len(word),
                }
                raise ValidationError({"categories": text % values})
        if len(words) > _MOST_CATEGORIES:
            text = gettext("There are at most %(most)d categories; these are %(number)d.")
            values = {"most": _MOST_CATEGORIES, "number": len(words)}
            raise ValidationError({"categories": text % values})

    @property
    def category_names(self) -> list[str]:
        """What a room can be sorted under, in order."""
        # Cut where they were written before longer ones were refused.
        words = dict.fromkeys(word[:_LONGEST_CATEGORY] for word in _words_in(self.categories))
        return list(words)[:_MOST_CATEGORIES] or list(CATEGORIES)


def _words_in(categories: str) -> list[str]:
    """One a line, each once."""
    return list(dict.fromkeys(word.strip() for word in categories.splitlines() if word.strip()))
