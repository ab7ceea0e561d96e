"""Browsers to which notices are pushed."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Player

__all__ = ["PushSubscription"]


class PushSubscription(models.Model):
    """One browser of an account that takes Web Push: its address at the browser's maker, and its keys."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="+",
    )
    # Whoever acts for one player, a game's server or a program, is told of that player alone.
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="+",
        null=True,
        blank=True,
        help_text=_("Of whom alone it is told. Empty: of all players of the account."),
    )
    endpoint = models.CharField(_("address"), max_length=1000, unique=True)
    p256dh = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("shared secret"), max_length=40)
    created_at = models.DateTimeField(_("since"), db_default=TransactionNow())
    # What its maker's server answered.
    sent_at = models.DateTimeField(_("sent last"), null=True, blank=True)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0, db_default=0)
    paused_until = models.DateTimeField(_("paused until"), null=True, blank=True)
    trouble = models.CharField(_("what went wrong last"), max_length=200, blank=True, db_default="")

    class Meta:
        verbose_name = _("browser for push")
        verbose_name_plural = _("browsers for push")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(endpoint__startswith="https://"), name="push_address_is_encrypted"
            ),
            models.CheckConstraint(
                condition=Q(failures=0, paused_until__isnull=True) | Q(failures__gt=0),
                name="push_paused_after_failures",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.created_at:%Y-%m-%d}"
