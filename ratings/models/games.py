"""Games."""

from django.contrib.postgres.functions import TransactionNow
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from foundation.archiving import Archivable, in_use

# A page or a mail address. Both cases are written out, as Python and PostgreSQL differ in what is the same letter.
_ADDRESS = (
    r'\A([Hh][Tt][Tt][Pp][Ss]?://[^\s<>"/]+(/[^\s<>"]*)?'
    r'|([Mm]ailto:)?[^\s<>"@:/?]+@[^\s<>"@:/?]+\.[^\s<>"@:/?]+)\Z'
)
_LONGEST_WORD = 100  # no name is longer, so none could hold it


def check_refused_words(text: str) -> None:
    """Raise ValidationError for the first word that is too long for any name."""
    for word in text.splitlines():
        if len(word.strip()) > _LONGEST_WORD:
            words = gettext(
                "“%(word)s…” has %(length)s characters. Write one word a line, of at most %(most)s."
            )
            given = {"word": word.strip()[:20], "length": len(word.strip()), "most": _LONGEST_WORD}
            raise ValidationError(words % given)


class GameQuerySet(models.QuerySet["Game"]):
    """Reading games."""

    def in_use(self) -> "GameQuerySet":
        """Those that are not archived."""
        return self.filter(in_use(""))


class Game(Archivable):
    """A game whose matches are rated here. Players and ladders belong to one game."""

    slug = models.SlugField(_("short name"), unique=True, help_text=_("Used in addresses."))
    name = models.CharField(_("name"), max_length=120)
    description = models.TextField(_("description"), blank=True)
    simulated = models.BooleanField(
        _("simulated"),
        default=False,
        help_text=_("Its players are simulated by a computer. Every page of the game says so."),
    )
    disputes_at_most = models.PositiveSmallIntegerField(
        _("open disputes at most"),
        default=3,
        db_default=3,
        validators=[MaxValueValidator(100)],
        help_text=_(
            "Whoever has so many disputed matches that count against them can't search for ranked matches"
            " until one is decided. 0: no limit."
        ),
    )
    appeals_to = models.CharField(
        _("appeals to"),
        max_length=200,
        blank=True,
        db_default="",
        help_text=_(
            "Where players can ask for a sanction to be lifted: an address of a page, or of mail."
        ),
        validators=[
            RegexValidator(
                _ADDRESS,
                _(
                    "“%(value)s” is neither the address of a page nor of mail."
                    " Write one such as https://example.org/appeals or mail@example.org."
                ),
            )
        ],
    )
    refused_words = models.TextField(
        _("refused words"),
        blank=True,
        db_default="",
        max_length=10_000,
        validators=[check_refused_words],
        help_text=_(
            "One a line. No name chosen on this site holds one of them, whatever the case and signs that look alike;"
            " names that the game brings are listed under “Players: names with refused words”."
        ),
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)

    objects = GameQuerySet.as_manager()

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(appeals_to="") | Q(appeals_to__regex=_ADDRESS),
                name="game_appeals_to_an_address",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Address of the game's page: its ladders."""
        return reverse("game", args=[self.slug])
