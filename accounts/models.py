"""Accounts and the audit log."""

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.usernames import refuse_disguise


class User(AbstractUser):
    """An account of this site. A player of a game is something else: see `ratings.models.Player`."""

    date_joined = models.DateTimeField(_("date joined"), db_default=TransactionNow())

    def __str__(self) -> str:
        return self.username

    def clean(self) -> None:
        """Hold the rules of names in the admin too."""
        super().clean()
        refuse_disguise(self.username)


class AuditEntry(models.Model):
    """One change that a person made, with the values before and after. Rows are only ever added."""

    at = models.DateTimeField(_("at"), db_default=TransactionNow())
    actor = models.ForeignKey(
        User,
        verbose_name=_("who"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        help_text=_("Empty for a command run on the server."),
    )
    action = models.CharField(_("action"), max_length=80)
    target_type = models.CharField(_("kind of thing"), max_length=80)
    target_id = models.CharField(_("which one"), max_length=80)
    before = models.JSONField(_("before"), null=True, blank=True)
    after = models.JSONField(_("after"), null=True, blank=True)
    note = models.TextField(_("note"), blank=True)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        ordering = ["-id"]
        indexes = [
            # The history of one thing, newest first, on its admin page.
            models.Index(fields=["target_type", "target_id", "-id"], name="audit_of_target"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.target_type} {self.target_id}"
