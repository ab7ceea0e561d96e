"""Appeals: a player asks somebody else to look at what was decided once more."""

from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from moderation.models.names import NameChange
from ratings.models import Player, Sanction

__all__ = ["LONGEST_APPEAL", "Appeal"]

LONGEST_APPEAL = 2000


class Appeal(models.Model):
    """Against one sanction or one reset of a name: each once, whatever comes of it."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="appeals",
        editable=False,
    )
    sanction = models.OneToOneField(
        Sanction,
        verbose_name=_("sanction"),
        on_delete=models.PROTECT,
        null=True,
        related_name="appeal",
        editable=False,
    )
    name_change = models.OneToOneField(
        NameChange,
        verbose_name=_("reset of a name"),
        on_delete=models.PROTECT,
        null=True,
        related_name="appeal",
        editable=False,
    )
    text = models.TextField(
        _("text"), editable=False, validators=[MaxLengthValidator(LONGEST_APPEAL)]
    )
    at = models.DateTimeField(_("at"), db_default=TransactionNow(), editable=False)
    granted = models.BooleanField(
        _("granted"), null=True, editable=False, help_text=_("Empty: not decided yet.")
    )

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(sanction__isnull=False, name_change__isnull=True)
                | Q(sanction__isnull=True, name_change__isnull=False),
                name="appeal_against_one_thing",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="appeal_says_something"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("text"), Value(LONGEST_APPEAL)),
                name="appeal_is_short",
            ),
        ]

    def __str__(self) -> str:
        return str(self.sanction) if self.sanction else f"{self.player}: {self.name_change}"
