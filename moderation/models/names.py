"""Changes of names that players make themselves, and moderators."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Game, Player

__all__ = ["NameChange"]


class NameChange(models.Model):
    """One change: who is counted by it, and for whom the name before is held."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="name_changes",
        db_index=False,
        editable=False,
    )
    game = models.ForeignKey(
        Game,
        verbose_name=_("game"),
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        editable=False,
    )
    name = models.CharField(_("name before"), max_length=100, editable=False)
    skeleton = models.CharField(_("comparable name"), max_length=200, editable=False)
    given = models.CharField(_("name after"), max_length=100, editable=False)
    at = models.DateTimeField(_("at"), db_default=TransactionNow(), editable=False)
    is_reset = models.BooleanField(
        _("reset by a moderator"), default=False, db_default=False, editable=False
    )
    reset_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("reset by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        editable=False,
    )
    reason = models.TextField(
        _("reason"),
        blank=True,
        db_default="",
        editable=False,
        help_text=_("Of a reset; the player reads it."),
    )
    undone_at = models.DateTimeField(_("taken back"), null=True, editable=False)

    class Meta:
        verbose_name = _("change of a name")
        verbose_name_plural = _("changes of names")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(is_reset=True) | Q(reset_by__isnull=True, undone_at__isnull=True),
                name="name_change_reset_by_a_moderator",
            ),
            models.CheckConstraint(
                condition=Q(is_reset=False) | ~Q(reason=""), name="name_change_reset_has_a_reason"
            ),
        ]
        indexes = [
            models.Index(fields=["player", "-at"], name="name_change_of_player"),
            # Whether a name is held for whoever had it.
            models.Index(fields=["game", "skeleton"], name="name_change_held"),
        ]

    def __str__(self) -> str:
        return f"{self.name} → {self.given}"
