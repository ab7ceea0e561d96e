"""What only the demo knows of its players."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.models import Player


class SimulatedPlayer(models.Model):
    """The hidden side of a player of the demo league. No page and no interface shows it."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
    )
    strength = models.FloatField(
        _("true strength"), help_text=_("In points, of which 400 are ten to one.")
    )
    activity = models.FloatField(
        _("activity"), help_text=_("How often the player comes; 1 on average, 0 is gone for good.")
    )
    manners = models.FloatField(
        _("manners"), help_text=_("From 0, who leaves and declines, to 1, who never does.")
    )

    class Meta:
        verbose_name = _("simulated player")
        verbose_name_plural = _("simulated players")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(activity__gte=0, manners__gte=0, manners__lte=1),
                name="simulated_player_habits",
            ),
        ]

    def __str__(self) -> str:
        return str(self.player_id)
