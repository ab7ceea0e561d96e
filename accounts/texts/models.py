"""What operators write about their site, version by version, and who accepted which rules."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

__all__ = ["LONGEST_NAME", "LONGEST_TEXT", "Consent", "SiteText"]

LONGEST_NAME = 40  # characters: it stands in the header of every page
LONGEST_TEXT = 100_000


class SiteText(models.Model):
    """One version of one text in one language. Rows are only ever added; the newest holds, an empty one is none."""

    class Kind(models.TextChoices):
        """What it is for."""

        NAME = "name", _("Name of the site")
        IMPRINT = "imprint", _("Imprint")
        PRIVACY = "privacy", _("Privacy")
        RULES = "rules", _("Rules")

    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    language = models.CharField(_("language"), max_length=16, choices=settings.LANGUAGES)
    version = models.PositiveIntegerField(
        _("version"), help_text=_("Counted for all languages together.")
    )
    text = models.TextField(_("text"), blank=True)
    asks_again = models.BooleanField(
        _("everybody is asked again"),
        default=False,
        db_default=False,
        help_text=_(
            "Of rules: nobody searches or joins from here on without having accepted them."
        ),
    )
    written_at = models.DateTimeField(_("written"), db_default=TransactionNow())
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("written by"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("text of the site")
        verbose_name_plural = _("texts of the site")
        ordering = ["-id"]
        constraints = [
            # Of two who save at once the second is told so.
            models.UniqueConstraint(fields=["kind", "version"], name="site_text_version"),
            models.CheckConstraint(
                condition=Q(kind__in=["name", "imprint", "privacy", "rules"]),
                name="site_text_kind_is_known",
            ),
            models.CheckConstraint(
                condition=Q(kind="rules") | Q(asks_again=False), name="only_rules_ask_again"
            ),
        ]
        indexes = [
            # The newest of each.
            models.Index(fields=["kind", "language", "-version"], name="site_text_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.get_language_display()}), {self.version}"


class Consent(models.Model):
    """An account accepted the rules: in which words, and up to which version. It goes with the account."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="consents",
    )
    text = models.ForeignKey(
        SiteText, verbose_name=_("text"), on_delete=models.PROTECT, related_name="consents"
    )
    version = models.PositiveIntegerField(
        _("version"),
        help_text=_(
            "The newest of the rules then, in whichever language: all up to it are accepted."
        ),
    )
    given_at = models.DateTimeField(_("given"), db_default=TransactionNow())

    class Meta:
        verbose_name = _("consent")
        verbose_name_plural = _("consents")
        ordering = ["-id"]
        constraints = [
            # Pressed twice it is given once. Whether an account has accepted is read from here too.
            models.UniqueConstraint(fields=["account", "version"], name="consent_once"),
        ]

    def __str__(self) -> str:
        return f"{self.account}: {self.text}"
