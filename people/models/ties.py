"""What ties players of a game: whom one follows, friends, and blocks."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Player

__all__ = ["Block", "Follow", "Friendship"]


class Follow(models.Model):
    """A player follows another. One-sided: it needs nobody's leave, and opens nothing that is for friends."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    followed = models.ForeignKey(
        Player, verbose_name=_("followed player"), on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(_("since"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("followed player")
        verbose_name_plural = _("followed players")
        ordering = ["id"]
        constraints = [
            # Also the index by which a player's list is read.
            models.UniqueConstraint("player", "followed", name="followed_once"),
            models.CheckConstraint(
                condition=~Q(player=F("followed")), name="followed_is_somebody_else"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} follows {self.followed_id}"


class Friendship(models.Model):
    """Two players who are friends, or one of whom has asked. One row for both, the lower id first.

    What was withdrawn, turned down or ended leaves no row.
    """

    low = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    high = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+"
    )
    by_low = models.BooleanField(
        _("asked by the first"), help_text=_("Otherwise the second of the two has asked.")
    )
    asked_at = models.DateTimeField(_("asked"), db_default=TransactionNow(), editable=False)
    agreed_at = models.DateTimeField(
        _("friends since"), null=True, editable=False, help_text=_("Empty: not answered yet.")
    )

    class Meta:
        verbose_name = _("friendship")
        verbose_name_plural = _("friendships")
        ordering = ["id"]
        constraints = [
            # Also the index by which the lower of the two finds it.
            models.UniqueConstraint("low", "high", name="friendship_once"),
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="friendship_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.low_id} and {self.high_id}"


class Block(models.Model):
    """A player wants nothing to do with another. Nobody but the one who blocks sees it."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    blocked = models.ForeignKey(
        Player, verbose_name=_("blocked player"), on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(_("since"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        ordering = ["id"]
        constraints = [
            # Also the index by which a player's list is read.
            models.UniqueConstraint("player", "blocked", name="blocked_once"),
            models.CheckConstraint(
                condition=~Q(player=F("blocked")), name="blocked_is_somebody_else"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} blocks {self.blocked_id}"
