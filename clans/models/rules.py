"""What the operator has chosen of a game's clans."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Game

__all__ = ["MOST_COUNTED", "MOST_MEMBERS", "BoardBy", "ClanRules"]

MOST_MEMBERS, MOST_COUNTED = 200, 20


class BoardBy(models.TextChoices):
    """By what clans are ordered on a ladder: of the ratings of their best members there."""

    MEAN = "mean", _("the mean")
    SUM = "sum", _("the sum")


class ClanRules(models.Model):
    """The clans of a game: whether there are any, and how large. Without a row of its own a game has what is here."""

    game = models.OneToOneField(
        Game,
        verbose_name=_("game"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
    )
    is_open = models.BooleanField(
        _("players may found clans"),
        default=True,
        help_text=_("Clans that are there stay in any case."),
    )
    most_members = models.PositiveSmallIntegerField(
        _("members at most"),
        default=50,
        validators=[MinValueValidator(2), MaxValueValidator(MOST_MEMBERS)],
        help_text=_("Of one clan. 2 to 200."),
    )

    counted = models.PositiveSmallIntegerField(
        _("members that count"),
        default=3,
        db_default=3,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_COUNTED)],
        help_text=_("The best of each clan on a leaderboard, by whom clans are ordered. 1 to 20."),
    )
    board_by = models.CharField(
        _("clans ordered by"),
        max_length=4,
        choices=BoardBy,
        default=BoardBy.MEAN,
        db_default=BoardBy.MEAN,
        help_text=_(
            "By the mean of those members a clan must have as many; by the sum whoever is missing counts nothing."
        ),
    )

    class Meta:
        verbose_name = _("rules of clans")
        verbose_name_plural = _("rules of clans")
        ordering = ["game_id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(most_members__gte=2, most_members__lte=MOST_MEMBERS),
                name="clan_rules_most_members",
            ),
            models.CheckConstraint(
                condition=Q(counted__gte=1, counted__lte=MOST_COUNTED), name="clan_rules_counted"
            ),
            models.CheckConstraint(
                condition=Q(board_by__in=BoardBy.values), name="clan_rules_board_by"
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.game_id}"
