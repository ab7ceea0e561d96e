"""The outbox, how far each subscriber has read it, and what streams were told."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext_lazy as _

# Which cluster of PostgreSQL counts the transactions. A dump that is restored into another brings numbers of the old.
_CLUSTER = RawSQL("((pg_control_system()).system_identifier)", ())
BEFORE_ALL = -(2**62)  # a transaction before any, those of earlier clusters included


class Event(models.Model):
    """A fact, written in the transaction of what it tells of. Holds ids, never names."""

    # Ids are given out before commit, so a lower id may become visible later than a higher one. A reader therefore
    # goes by transaction: whatever is older than every transaction still running is complete.
    transaction = models.BigIntegerField(
        _("transaction"),
        editable=False,
        db_default=RawSQL("(pg_current_xact_id()::text::bigint)", ()),
    )
    cluster = models.BigIntegerField(_("cluster"), editable=False, db_default=_CLUSTER)
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


class Notice(models.Model):
    """What streams were told of, kept for whoever was away. Read in the order of `Event`.

    One without topics is told nobody: of what came before it, some is gone.
    """

    transaction = models.BigIntegerField(
        _("transaction"),
        editable=False,
        db_default=RawSQL("(pg_current_xact_id()::text::bigint)", ()),
    )
    cluster = models.BigIntegerField(_("cluster"), editable=False, db_default=_CLUSTER)
    at = models.DateTimeField(_("at"), db_default=TransactionNow())
    kind = models.CharField(_("kind"), max_length=60)
    topics = ArrayField(models.CharField(max_length=60), verbose_name=_("topics"))
    ids = models.JSONField(_("ids"), default=dict)
    players = ArrayField(models.BigIntegerField(), verbose_name=_("players"), default=list)

    class Meta:
        verbose_name = _("live message")
        verbose_name_plural = _("live messages")
        ordering = ["transaction", "id"]
        indexes = [
            models.Index(fields=["transaction", "id"], name="notice_order"),
            # Where what came before is gone: one row, or a few.
            models.Index(
                fields=["transaction", "id"], condition=Q(topics=[]), name="notice_beginnings"
            ),
            # What is old enough to be forgotten.
            models.Index(fields=["at"], name="notice_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Subscription(models.Model):
    """How far one subscriber has read. Its row is locked while it reads, so each event reaches it once.

    One that fails is tried again later and later, and parked in the end: until an operator lets it try again.
    """

    name = models.CharField(_("subscriber"), max_length=60, primary_key=True)
    transaction = models.BigIntegerField(_("read up to transaction"), default=BEFORE_ALL)
    cluster = models.BigIntegerField(_("cluster"), editable=False, db_default=_CLUSTER)
    event_id = models.BigIntegerField(_("and event"), default=0)
    failures = models.PositiveIntegerField(
        _("failures in a row"), default=0, db_default=0, editable=False
    )
    error = models.TextField(_("last error"), blank=True, default="", db_default="", editable=False)
    failed_event_id = models.BigIntegerField(_("failed at event"), null=True, editable=False)
    retry_at = models.DateTimeField(_("next try"), null=True, editable=False)
    parked_at = models.DateTimeField(
        _("parked"), null=True, editable=False, help_text=_("It is no longer tried automatically.")
    )

    class Meta:
        verbose_name = _("subscription")
        verbose_name_plural = _("subscriptions")
        constraints = [
            models.CheckConstraint(
                condition=Q(failures=0, retry_at__isnull=True, parked_at__isnull=True)
                | (Q(failures__gt=0) & (Q(retry_at__isnull=True) ^ Q(parked_at__isnull=True))),
                name="subscription_failing_is_tried_again_or_parked",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def succeed(self) -> None:
        """Forget earlier failures."""
        self.failures, self.retry_at, self.parked_at = 0, None, None
        self.error, self.failed_event_id = "", None
