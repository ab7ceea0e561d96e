"""Notices: what a player was told, and what of it is still to be sent."""

from typing import Any

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from notifications.models.push import PushSubscription
from ratings.models import Player

__all__ = ["Delivery", "Notice", "Sent", "Way"]


class Way(models.TextChoices):
    """How a player is told."""

    SITE = "site", _("on the site")
    MAIL = "mail", _("by e-mail")
    PUSH = "push", _("by push")


class Notice(models.Model):
    """Something that one player is told. It holds no words and no names: these are put together when it is shown."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    kind = models.CharField(_("kind"), max_length=60)
    about = models.CharField(
        _("about"),
        max_length=100,
        blank=True,
        db_default="",
        default="",
        help_text=_("A player is told of the same kind about the same thing once. Empty: always."),
    )
    data: Any = models.JSONField(_("facts"), default=dict, blank=True)
    on_site = models.BooleanField(
        _("on the site"),
        default=True,
        db_default=True,
        help_text=_("Whether the player reads it here, rather than in a mail or a push alone."),
    )
    created_at = models.DateTimeField(_("told"), db_default=TransactionNow())
    read_at = models.DateTimeField(_("read"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "kind", "about"],
                condition=~Q(about=""),
                name="notice_about_a_thing_once",
            ),
            models.CheckConstraint(condition=~Q(kind=""), name="notice_has_a_kind"),
            models.CheckConstraint(
                condition=Q(read_at__isnull=True) | Q(read_at__gte=F("created_at")),
                name="notice_read_after_it_was_told",
            ),
        ]
        indexes = [
            models.Index(fields=["player", "-id"], name="notice_of_player"),
            # Few: the number in the bar, on every page of who is signed in.
            models.Index(
                fields=["player"],
                condition=Q(read_at__isnull=True, on_site=True),
                name="notice_unread",
            ),
            models.Index(fields=["created_at"], name="notice_told_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.player_id}"


class Delivery(models.Model):
    """A mail or a push that is still to be sent: one that is sent, or is of no use any more, has no row."""

    notice = models.ForeignKey(
        Notice,
        verbose_name=_("notice"),
        on_delete=models.CASCADE,
        related_name="deliveries",
        db_index=False,
    )
    way = models.CharField(_("way"), max_length=10, choices=Way)
    subscription = models.ForeignKey(
        PushSubscription,
        verbose_name=_("browser"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
    )
    due_at = models.DateTimeField(_("due"))
    until = models.DateTimeField(
        _("of use until"), null=True, blank=True, help_text=_("Empty: it stays of use.")
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0, db_default=0)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["notice", "way", "subscription"],
                nulls_distinct=False,
                name="delivery_once",
            ),
            models.CheckConstraint(
                condition=Q(way="mail", subscription__isnull=True)
                | Q(way="push", subscription__isnull=False),
                name="delivery_by_mail_or_to_a_browser",
            ),
        ]
        indexes = [models.Index(fields=["way", "due_at"], name="delivery_due")]

    def __str__(self) -> str:
        return f"{self.way}: {self.notice_id}"


class Sent(models.Model):
    """That one player caused another a mail or a push, and when: it is counted for an hour, and outlasts the notice,
    which whoever sent it may take back.
    """

    receiver = models.ForeignKey(
        Player,
        verbose_name=_("receiver"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    sender = models.ForeignKey(
        Player, verbose_name=_("sender"), on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField(_("at"), db_default=TransactionNow())

    class Meta:
        verbose_name = _("mail or push that a player caused")
        verbose_name_plural = _("mails and pushes that players caused")
        ordering = ["id"]
        indexes = [models.Index(fields=["receiver", "at"], name="sent_to_receiver")]

    def __str__(self) -> str:
        return f"{self.sender_id}: {self.receiver_id}"
