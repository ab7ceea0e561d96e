"""What the operator has chosen of a game's clans."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Game

__all__ = ["MOST_MEMBERS", "ClanRules"]

MOST_MEMBERS = 200


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

    class Meta:
        verbose_name = _("rules of clans")
        verbose_name_plural = _("rules of clans")
        ordering = ["game_id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(most_members__gte=2, most_members__lte=MOST_MEMBERS),
                name="clan_rules_most_members",
            )
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.game_id}"
