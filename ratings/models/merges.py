"""Merges: two players of a game who are one person. One row each, kept when it is undone."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.models.players import Player

__all__ = ["PlayerMerge"]


class PlayerMerge(models.Model):
    """One player that counts for another, from when to when, and what has to be put back when that ends.

    What holds now stands with the player too (`Player.merged_into`), where every request finds it.
    """

    merged = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="merges"
    )
    into = models.ForeignKey(
        Player, verbose_name=_("merged into"), on_delete=models.PROTECT, related_name="received"
    )
    since = models.DateTimeField(
        _("matches since"), null=True, help_text=_("Empty: from the first match.")
    )
    annulled = ArrayField(
        models.BigIntegerField(),
        verbose_name=_("annulled matches"),
        default=list,
        db_default=[],
        help_text=_("In which both took part. They count again when the merge is undone."),
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        help_text=_("Whose player the merged one was."),
    )
    account_came_along = models.BooleanField(
        _("the account came along"),
        db_default=False,
        help_text=_("The other player had none, so the account has that one now."),
    )
    at = models.DateTimeField(_("merged at"), db_default=TransactionNow())
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("merged by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    undone_at = models.DateTimeField(_("undone at"), null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("undone by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("merge")
        verbose_name_plural = _("merges")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                "merged", condition=Q(undone_at__isnull=True), name="merge_one_in_force"
            ),
            models.CheckConstraint(condition=~Q(merged=F("into")), name="merge_of_two_players"),
            models.CheckConstraint(
                condition=Q(undone_by__isnull=True) | Q(undone_at__isnull=False),
                name="merge_undone_by_somebody_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.merged} → {self.into}"
