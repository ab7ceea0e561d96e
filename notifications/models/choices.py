"""What players want to be told by which way, and when not."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Player

__all__ = ["AccountLanguage", "Choice", "QuietHours"]


class Choice(models.Model):
    """Whether a player wants the notices of one group by one way; without a row the kinds say so."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    group = models.CharField(_("group"), max_length=30)
    way = models.CharField(
        _("way"), max_length=10, choices=[("site", "site"), ("mail", "mail"), ("push", "push")]
    )
    wanted = models.BooleanField(_("wanted"))

    class Meta:
        verbose_name = _("choice of notices")
        verbose_name_plural = _("choices of notices")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "group", "way"], name="choice_once_for_group_and_way"
            ),
            models.CheckConstraint(
                condition=Q(way__in=["site", "mail", "push"]), name="choice_of_a_known_way"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.group} {self.way}"


class QuietHours(models.Model):
    """When a player gets no mails and no push: every day between two times of a time zone, also past midnight."""

    player = models.OneToOneField(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+"
    )
    begins = models.TimeField(_("from"))
    ends = models.TimeField(_("until"))
    zone = models.CharField(_("time zone"), max_length=60)

    class Meta:
        verbose_name = _("quiet hours")
        verbose_name_plural = _("quiet hours")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(begins=F("ends")), name="quiet_hours_have_an_end"),
            models.CheckConstraint(condition=~Q(zone=""), name="quiet_hours_have_a_zone"),
        ]

    def __str__(self) -> str:
        return f"{self.begins:%H:%M}–{self.ends:%H:%M} {self.zone}"


class AccountLanguage(models.Model):
    """In which language an account reads: the one it last signed in, chose or looked at its notices with."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="+",
    )
    language = models.CharField(_("language"), max_length=16)

    class Meta:
        verbose_name = _("language of an account")
        verbose_name_plural = _("languages of accounts")
        ordering = ["id"]

    def __str__(self) -> str:
        return self.language
