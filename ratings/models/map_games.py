"""How often players have played maps: counted from the ladder's sequence, for matchmaking."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models.ladders import Ladder
from ratings.models.players import Player


class MapGames(models.Model):
    """The confirmed matches of a player on one map of a ladder, up to the ladder's `maps_counted_seq`."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    ladder = models.ForeignKey(
        Ladder,
        verbose_name=_("ladder"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    map = models.CharField(_("map"), max_length=100)
    games = models.PositiveIntegerField(_("matches"))

    class Meta:
        verbose_name = _("matches on a map")
        verbose_name_plural = _("matches on maps")
        ordering = ["player_id", "map", "id"]
        constraints = [
            # Player first: also the index by which a sweep reads what the waiting players know.
            models.UniqueConstraint("player", "ladder", "map", name="map_games_once_per_map"),
            models.CheckConstraint(condition=~Q(map=""), name="map_games_has_a_map"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}, {self.map}: {self.games}"
