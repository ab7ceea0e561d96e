"""What the operator has chosen of a game's groups."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from foundation.timekeeping import Begun
from ratings.models import Game

__all__ = ["MOST_MEMBERS", "RANGES", "GroupRules"]

MOST_MEMBERS = 200
# The lowest and the highest value of columns, here and on the form.
RANGES = {
    "most_members": (2, MOST_MEMBERS),
    "most_groups": (1, 100),
    "draw_hours": (1, 720),
    "draw_size": (2, 20),
    "draw_days": (1, 365),
}


def _within(column: str) -> list[MinValueValidator | MaxValueValidator]:
    low, high = RANGES[column]
    return [MinValueValidator(low), MaxValueValidator(high)]


class GroupRules(models.Model):
    """The groups of a game: whether there are any, how large, and what is suggested and drawn. Without a row of its own
    a game has what is written here.
    """

    game = models.OneToOneField(
        Game,
        verbose_name=_("game"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
    )
    is_open = models.BooleanField(
        _("players may make groups"),
        default=True,
        help_text=_("Groups that are there stay in any case."),
    )
    most_members = models.PositiveSmallIntegerField(
        _("members at most"),
        default=30,
        validators=_within("most_members"),
        help_text=_("Of one group. 2 to 200."),
    )
    most_groups = models.PositiveSmallIntegerField(
        _("groups at most"),
        default=10,
        validators=_within("most_groups"),
        help_text=_("In which one player may be. 1 to 100."),
    )
    suggests = models.BooleanField(
        _("suggestions"),
        default=True,
        help_text=_("Friends and groups are suggested to players who want that."),
    )
    draws = models.BooleanField(
        _("random groups"),
        default=True,
        help_text=_("Players who want that are put together by lot."),
    )
    draw_hours = models.PositiveSmallIntegerField(
        _("hours between draws"),
        default=24,
        validators=_within("draw_hours"),
        help_text=_("1 to 720."),
    )
    draw_size = models.PositiveSmallIntegerField(
        _("members of a random group"),
        default=4,
        validators=_within("draw_size"),
        help_text=_("2 to 20."),
    )
    draw_days = models.PositiveSmallIntegerField(
        _("days of a random group"),
        default=14,
        validators=_within("draw_days"),
        help_text=_("Then it ends, unless its members keep it. 1 to 365."),
    )
    drawn_at = models.DateTimeField(_("last draw"), null=True, editable=False)

    # After a clock that ran ahead.
    begins_anew = (Begun("drawn_at"),)

    class Meta:
        verbose_name = _("rules of groups")
        verbose_name_plural = _("rules of groups")
        ordering = ["game_id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(**{f"{column}__gte": low, f"{column}__lte": high}),
                name=f"group_rules_{column}",
            )
            for column, (low, high) in RANGES.items()
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.game_id}"
