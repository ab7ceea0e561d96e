"""Players: who is rated."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ratings.models.games import Game


class PlayerKind(models.TextChoices):
    """What stands behind a rating: a clan or a fixed group is rated as one virtual player."""

    PERSON = "person", _("person")
    CLAN = "clan", _("clan")
    GROUP = "group", _("group of team mates")


class Player(models.Model):
    """A player of one game. Names repeat in games, so the game's own id tells players apart.

    An account of this site may claim a player; histories are never merged.
    """

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT)
    kind = models.CharField(
        _("kind"), max_length=10, choices=PlayerKind, default=PlayerKind.PERSON, editable=False
    )
    external_id = models.CharField(
        _("id in the game"),
        max_length=100,
        help_text=_("How the game names this player. Unique in the game."),
    )
    name = models.CharField(_("name"), max_length=100)
    skeleton = models.CharField(
        _("comparable name"),
        max_length=200,
        editable=False,
        help_text=_(
            "The name without case, accents and look-alikes: for search, and unique among claimed names."
        ),
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                "game",
                "external_id",
                name="player_external_id_unique_in_game",
                violation_error_message=_("This game already has a player with this id."),
            ),
            models.UniqueConstraint(
                "game",
                "user",
                condition=Q(user__isnull=False),
                name="player_one_per_account_and_game",
                violation_error_message=_("This account already has a player in this game."),
            ),
            models.UniqueConstraint(
                "game",
                "skeleton",
                condition=Q(user__isnull=False),
                name="player_claimed_name_unique",
                violation_error_message=_("A name that looks like this one is taken."),
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=True) | Q(kind=PlayerKind.PERSON),
                name="player_only_a_person_has_an_account",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
        ]
        indexes = [
            # Search by the beginning of a name, within a game and over all games.
            models.Index(
                fields=["skeleton", "id"],
                name="player_search",
                opclasses=["text_pattern_ops", "int8_ops"],
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Address of the player's page."""
        return reverse("player", args=[self.pk])
