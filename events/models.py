"""The outbox, and how far each subscriber has read it."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext_lazy as _


class Event(models.Model):
    """A fact, written in the transaction of what it tells of. Holds ids, never names."""

    # Ids are given out before commit, so a lower id may become visible later than a higher one. A reader therefore
    # goes by transaction: whatever is older than every transaction still running is complete.
    transaction = models.BigIntegerField(
        _("transaction"),
        editable=False,
        db_default=RawSQL("(pg_current_xact_id()::text::bigint)", ()),
    )
    at = models.DateTimeField(_("at"), db_default=TransactionNow())
    kind = models.CharField(_("kind"), max_length=60)
    payload = models.JSONField(_("payload"), default=dict)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["transaction", "id"]
        indexes = [
            # What a subscriber has not seen yet, in order.
            models.Index(fields=["transaction", "id"], name="event_order"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Subscription(models.Model):
    """How far one subscriber has read. Its row is locked while it reads, so each event reaches it once."""

    name = models.CharField(_("subscriber"), max_length=60, primary_key=True)
    transaction = models.BigIntegerField(_("read up to transaction"), default=0)
    event_id = models.BigIntegerField(_("and event"), default=0)

    class Meta:
        verbose_name = _("subscription")
        verbose_name_plural = _("subscriptions")

    def __str__(self) -> str:
        return self.name
