"""Clans: what one is called, who leads it, and who may come."""

from typing import Any

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clans.models.rules import MOST_MEMBERS
from foundation.names import skeleton_of
from foundation.timekeeping import Begun
from ratings.models import Game, Player
from ratings.models.players import INVISIBLE, LONGEST_CLAN_TAG

__all__ = ["Access", "Clan"]


class Access(models.TextChoices):
    """Who may come into a clan."""

    ALL = "open", _("everyone")
    APPLY = "apply", _("those who apply and are accepted")
    INVITED = "invited", _("those who are invited")
    NOBODY = "closed", _("nobody for now")


class Clan(models.Model):
    """A clan of a game. One that was dissolved stays, with its history and without a leader; name and tag are free.

    By foreign keys that hold when a transaction commits its leader is a member of it (migration 0001), and members know
    how many it may have: each has a place of its own below that number. The database writes the tag beside the names of
    its members (`Player.clan_tag`).
    """

    game = models.ForeignKey(
        Game,
        verbose_name=_("game"),
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    name = models.CharField(_("name"), max_length=40)
    name_skeleton = models.CharField(_("comparable name"), max_length=200, editable=False)
    tag = models.CharField(
        _("tag of the clan"),
        max_length=LONGEST_CLAN_TAG,
        help_text=_("Stands beside the names of members."),
    )
    tag_skeleton = models.CharField(_("comparable tag"), max_length=60, editable=False)
    note = models.CharField(_("note"), max_length=300, blank=True)
    leader = models.ForeignKey(
        Player,
        verbose_name=_("leader"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        help_text=_("Empty: the clan was dissolved."),
    )
    access = models.CharField(
        _("who may join"), max_length=10, choices=Access, default=Access.APPLY
    )
    most = models.PositiveSmallIntegerField(_("members at most"))
    founded_at = models.DateTimeField(_("founded"), db_default=TransactionNow(), editable=False)
    ended_at = models.DateTimeField(_("dissolved"), null=True, editable=False)

    # After a clock that ran ahead.
    begins_anew = (Begun("founded_at"),)

    class Meta:
        verbose_name = _("clan")
        verbose_name_plural = _("clans")
        ordering = ["-id"]
        permissions = [("dissolve_clan", _("Can dissolve clans"))]
        constraints = [
            # What members' foreign key refers to.
            models.UniqueConstraint(fields=["id", "most"], name="clan_most"),
            models.UniqueConstraint(
                fields=["game", "name_skeleton"],
                condition=Q(ended_at__isnull=True),
                name="clan_name_unique",
            ),
            models.UniqueConstraint(
                fields=["game", "tag_skeleton"],
                condition=Q(ended_at__isnull=True),
                name="clan_tag_unique",
            ),
            models.CheckConstraint(
                condition=Q(most__gte=2, most__lte=MOST_MEMBERS), name="clan_size"
            ),
            models.CheckConstraint(condition=Q(access__in=Access.values), name="clan_access"),
            models.CheckConstraint(
                condition=Q(leader__isnull=True, ended_at__isnull=False)
                | Q(leader__isnull=False, ended_at__isnull=True),
                name="clan_is_led_until_it_ends",
            ),
            models.CheckConstraint(condition=~Q(name="") & ~Q(tag=""), name="clan_has_a_name"),
            models.CheckConstraint(
                condition=~Q(name__regex=INVISIBLE)
                & ~Q(tag__regex=INVISIBLE)
                & ~Q(note__regex=INVISIBLE),
                name="clan_texts_can_be_shown",
            ),
        ]
        indexes = [
            # A game's, the newest first.
            models.Index(
                fields=["game", "-id"], condition=Q(ended_at__isnull=True), name="clan_listed"
            ),
        ]

    def __str__(self) -> str:
        return f"[{self.tag}] {self.name}"

    def get_absolute_url(self) -> str:
        """Address of the clan's page."""
        return reverse("clan", args=[self.pk])

    @property
    def is_over(self) -> bool:
        """Whether it was dissolved."""
        return self.ended_at is not None

    def call(self, **texts: str) -> list[str]:
        """Give it another `name` or `tag`, or both, with what follows from them; returns the columns. Saves nothing."""
        columns: dict[str, Any] = dict(texts)
        columns |= {f"{column}_skeleton": skeleton_of(text) for column, text in texts.items()}
        for column, value in columns.items():
            setattr(self, column, value)
        return list(columns)
