"""Ratings: where a player stands on a track."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from foundation.archiving import in_use
from ratings.models.ladders import Mode
from ratings.models.players import Player
from ratings.models.tracks import RatingTrack, public


class Status(models.IntegerChoices):
    """How much a rating is worth yet."""

    NEW = 0, _("new")
    PROVISIONAL = 1, _("provisional")
    ESTABLISHED = 2, _("established")


class RatingQuerySet(models.QuerySet["Rating"]):
    """Reading ratings."""

    def public(self) -> "RatingQuerySet":
        """Ratings of players as a whole that may be shown. What is hidden is hidden here."""
        return self.filter(public("track__"))

    def public_of_any_facet(self) -> "RatingQuerySet":
        """Those by map or character too: all of the shown tracks of ranked ladders."""
        ladders = in_use("track__ladder__", "track__ladder__game__")
        return self.filter(ladders, track__shown=True, track__ladder__mode=Mode.RANKED)


def share_of_games(count: int, games: int) -> float | None:
    """Which part of the games it is, from 0 to 1; None without a game."""
    return count / games if games else None


class Rating(models.Model):
    """A player's rating on a track, as computed last. Written by rating runs only.

    On a track that rates maps or characters apart there is one for each that the player has played.
    """

    # Both are checked for all rows of a statement together (see the migration).
    track = models.ForeignKey(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        related_name="ratings",
        db_index=False,
        db_constraint=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="ratings",
        db_index=False,
        db_constraint=False,
    )
    facet = models.CharField(
        _("map or character"), max_length=100, blank=True, default="", db_default=""
    )
    value = models.FloatField(_("rating"))
    deviation = models.FloatField(
        _("deviation"), null=True, help_text=_("As computed last; it grows with time.")
    )
    volatility = models.FloatField(_("volatility"), null=True)
    as_of = models.DateTimeField(
        _("as of"),
        help_text=_("From when on the deviation grows: the start of the period, or the match."),
    )
    games = models.PositiveIntegerField(_("games"))
    counted = models.PositiveIntegerField(
        _("counted games"), help_text=_("Games that count towards becoming established.")
    )
    wins = models.PositiveIntegerField(_("wins"))
    draws = models.PositiveIntegerField(_("draws"))
    losses = models.PositiveIntegerField(_("losses"))
    leaves = models.PositiveIntegerField(_("left early"), default=0)
    status = models.PositiveSmallIntegerField(_("status"), choices=Status)
    last_played_at = models.DateTimeField(_("last played"))
    revision = models.BigIntegerField(
        _("revision"), help_text=_("The track's revision that wrote this row.")
    )

    objects = RatingQuerySet.as_manager()

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering = ["id"]
        constraints = [
            # Player first: also the index of a player's ratings.
            models.UniqueConstraint("player", "track", "facet", name="rating_one_per_track"),
            models.CheckConstraint(
                condition=Q(deviation__isnull=True) | Q(deviation__gt=0),
                name="rating_deviation_positive",
            ),
            models.CheckConstraint(
                condition=Q(games=F("wins") + F("draws") + F("losses")), name="rating_games_add_up"
            ),
            models.CheckConstraint(
                condition=Q(counted__lte=F("games")), name="rating_counted_within_games"
            ),
        ]
        indexes = [
            # What changed since the standings were computed last.
            models.Index(fields=["track", "revision"], name="rating_changed_since"),
        ]

    def __str__(self) -> str:
        return f"{self.value:.0f}"

    @property
    def win_share(self) -> float | None:
        """Games won."""
        return share_of_games(self.wins, self.games)

    @property
    def leave_share(self) -> float | None:
        """Games left early."""
        return share_of_games(self.leaves, self.games)
