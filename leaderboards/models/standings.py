"""Standings: a player's place on a board."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Player, Rating, RatingTrack


class Standing(models.Model):
    """A player's place on a leaderboard. Follows the rating; time alone hides it once `listed_until` passes."""

    track = models.ForeignKey(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="standings"
    )
    rating = models.OneToOneField(
        Rating, verbose_name=_("rating"), on_delete=models.CASCADE, related_name="standing"
    )
    order_value = models.FloatField(_("ordered by"))
    listed = models.BooleanField(_("listed"))
    listed_until = models.DateTimeField(
        _("listed until"), null=True, help_text=_("When time alone will hide this player.")
    )
    previous_rank = models.PositiveBigIntegerField(_("rank before"), null=True)
    previous_value = models.FloatField(_("rating before"), null=True)

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering = ["track_id", "-order_value", "player_id"]
        constraints = [
            models.UniqueConstraint("track", "player", name="standing_unique"),
            models.CheckConstraint(
                condition=Q(listed=True) | Q(listed_until__isnull=True),
                name="standing_only_listed_expires",
            ),
        ]
        indexes = [
            # Pages of the leaderboard, and the players around one.
            models.Index(
                fields=["track", "-order_value", "player_id"],
                name="standing_listed",
                condition=Q(listed=True),
            ),
            # The same with everyone shown.
            models.Index(fields=["track", "-order_value", "player_id"], name="standing_all"),
            # Whom time hides next.
            models.Index(
                fields=["listed_until"],
                name="standing_due",
                condition=Q(listed_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.order_value:.0f}"
