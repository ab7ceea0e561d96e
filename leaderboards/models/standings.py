"""Standings: a player's place on a board."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Player, Rating, RatingTrack, Status
from ratings.models.tracks import public


class HiddenAs(models.IntegerChoices):
    """Why a standing is not listed, or what will hide it next."""

    PROVISIONAL = 1, _("provisional")
    INACTIVE = 2, _("inactive")


class StandingQuerySet(models.QuerySet["Standing"]):
    """Reading standings."""

    def public(self) -> "StandingQuerySet":
        """Standings that may be shown. Only ratings of players as a whole have one."""
        return self.filter(public("track__"))


class Standing(models.Model):
    """A player's place on a leaderboard. Follows the rating; time alone hides it once `listed_until` passes."""

    rating = models.OneToOneField(
        Rating,
        verbose_name=_("rating"),
        on_delete=models.CASCADE,
        primary_key=True,
        db_constraint=False,
        related_name="standing",
    )
    # Together a foreign key to the rating (see the migration): one check a row instead of three.
    track = models.ForeignKey(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="standings",
        db_index=False,
        db_constraint=False,
    )
    order_value = models.FloatField(_("ordered by"))
    listed = models.BooleanField(_("listed"))
    listed_until = models.DateTimeField(
        _("listed until"), null=True, help_text=_("When time alone will hide this player.")
    )
    hidden_as = models.PositiveSmallIntegerField(
        _("hidden as"), choices=HiddenAs, help_text=_("Why not listed, or what will hide it next.")
    )
    previous_rank = models.PositiveBigIntegerField(_("rank before"), null=True)
    previous_value = models.FloatField(_("rating before"), null=True)

    objects = StandingQuerySet.as_manager()

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering = ["track_id", "-order_value", "player_id"]
        constraints = [
            # Also finds a player's standings.
            models.UniqueConstraint("player", "track", name="standing_unique"),
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
                fields=["track", "listed_until"],
                name="standing_due",
                condition=Q(listed_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.order_value:.0f}"

    @property
    def is_provisional(self) -> bool:
        """Whether the rating carries the mark of an uncertain one: as computed, or grown vague since."""
        has_grown_vague = not self.listed and self.hidden_as == HiddenAs.PROVISIONAL
        return has_grown_vague or self.rating.status != Status.ESTABLISHED
