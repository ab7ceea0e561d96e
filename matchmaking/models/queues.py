"""Queues: where players wait for a match of one ladder."""

from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Ladder


class Queue(models.Model):
    """Where tickets wait, and how long its offers and heartbeats last."""

    ladder = models.ForeignKey(
        Ladder, verbose_name=_("ladder"), on_delete=models.PROTECT, related_name="queues"
    )
    slug = models.SlugField(_("short name"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    is_open = models.BooleanField(
        _("open"), default=True, help_text=_("A closed queue takes no new tickets.")
    )
    accept_seconds = models.PositiveIntegerField(
        _("seconds to accept"),
        default=20,
        validators=[MinValueValidator(3), MaxValueValidator(600)],
    )
    heartbeat_seconds = models.PositiveIntegerField(
        _("seconds without a sign of life"),
        default=60,
        validators=[MinValueValidator(5), MaxValueValidator(3600)],
        help_text=_("A ticket whose player is silent for longer expires. 5 to 3,600."),
    )
    accepts_by_itself = models.BooleanField(
        _("accept for the players"), default=False, help_text=_("Offers become matches at once.")
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("queue")
        verbose_name_plural = _("queues")
        ordering = ["ladder_id", "name", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(accept_seconds__gte=3), name="queue_accept_seconds"),
            models.CheckConstraint(
                condition=Q(heartbeat_seconds__gte=5), name="queue_heartbeat_seconds"
            ),
        ]

    def __str__(self) -> str:
        return self.name
