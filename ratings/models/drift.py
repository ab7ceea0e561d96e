"""Dates on which time takes points from everybody on a ladder, or gives them, as they stand in its sequence."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models.ladders import Ladder


class DriftDate(models.Model):
    """One such date: what is rated behind its number in the sequence finds ratings that have drifted.

    How much it is, the parameters of each track say. Tracks with rating periods have dates of their own: the ends of
    their periods.
    """

    pk = models.CompositePrimaryKey("ladder_id", "seq")
    ladder = models.ForeignKey(
        Ladder,
        verbose_name=_("ladder"),
        on_delete=models.PROTECT,
        related_name="drift_dates",
        db_index=False,
    )
    seq = models.BigIntegerField(_("place in the sequence"))
    at = models.DateTimeField(_("date"))

    class Meta:
        verbose_name = _("date of decay or inflation")
        verbose_name_plural = _("dates of decay or inflation")
        ordering = ["ladder_id", "seq"]
        constraints = [
            # No date comes twice, whoever looks what is due.
            models.UniqueConstraint("ladder", "at", name="drift_date_once"),
            models.CheckConstraint(condition=Q(seq__gte=1), name="drift_date_has_its_place"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}"
