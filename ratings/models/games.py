"""Games."""

from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from foundation.archiving import Archivable, in_use


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
    )
    refused_words = models.TextField(
        _("refused words"),
        blank=True,
        db_default="",
        max_length=10_000,
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

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Address of the game's page: its ladders."""
        return reverse("game", args=[self.slug])
