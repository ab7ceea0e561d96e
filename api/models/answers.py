"""Stored answers: what a request with an `Idempotency-Key` was told."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class StoredAnswer(models.Model):
    """The answer to one request. Written in the transaction of its effect: both are there, or neither."""

    principal = models.CharField(_("caller"), max_length=40)
    key = models.CharField(_("key"), max_length=255)
    request = models.CharField(
        _("request"), max_length=64, help_text=_("SHA-256 of method, address and body.")
    )
    # Without an answer only inside the transaction that carries the request out.
    status = models.PositiveSmallIntegerField(_("status"), null=True)
    body = models.BinaryField(_("body"), default=b"")
    location = models.TextField(
        _("address"), default="", blank=True, help_text=_("The header “Location”; empty for none.")
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow())

    class Meta:
        verbose_name = _("stored answer")
        verbose_name_plural = _("stored answers")
        ordering = ["-id"]
        constraints = [
            # Of two requests at once the second waits here for the first.
            models.UniqueConstraint("principal", "key", name="answer_once_per_key"),
            models.CheckConstraint(
                condition=Q(status__isnull=True) | Q(status__gte=200, status__lt=300),
                name="answer_of_a_success",
            ),
            models.CheckConstraint(
                condition=~Q(principal="") & ~Q(key=""), name="answer_has_a_caller_and_a_key"
            ),
        ]
        indexes = [
            # Answers that are old enough to forget.
            models.Index(fields=["created_at"], name="answer_age"),
        ]

    def __str__(self) -> str:
        return f"{self.principal}: {self.key}"
