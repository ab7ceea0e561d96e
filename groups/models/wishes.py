"""What players want of the site: suggestions, and a group by lot."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matchmaking.models import Queue
from ratings.models import Game, Player

__all__ = ["DrawWish", "SuggestionWish"]


class SuggestionWish(models.Model):
    """A player wants friends and groups suggested. Without a row nothing is worked out."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
    )
    since = models.DateTimeField(_("since"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("wish for suggestions")
        verbose_name_plural = _("wishes for suggestions")

    def __str__(self) -> str:
        return f"suggestions for {self.player_id}"


class DrawWish(models.Model):
    """A player wants to be in a random group. The row goes when that has come."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
    )
    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.CASCADE, related_name="+", db_index=False
    )
    queue = models.ForeignKey(
        Queue,
        verbose_name=_("queue"),
        on_delete=models.CASCADE,
        related_name="+",
        null=True,
        blank=True,
        help_text=_("With players who want this one, or any."),
    )
    language = models.CharField(
        _("language"),
        max_length=8,
        blank=True,
        default="",
        help_text=_("With players who want this one, or any."),
    )
    since = models.DateTimeField(_("since"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("wish for a random group")
        verbose_name_plural = _("wishes for random groups")
        constraints = [
            models.CheckConstraint(
                condition=Q(language="") | Q(language__regex="^[a-z]{2,3}(-[a-z]{2,4})?$"),
                name="draw_wish_language",
            )
        ]
        indexes = [models.Index(fields=["game", "since"], name="draw_wish_of_game")]

    def __str__(self) -> str:
        return f"random group for {self.player_id}"
