"""Who is in a clan, and who was from when until when."""

from datetime import datetime

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest
from django.utils.translation import gettext_lazy as _

from clans.models.clans import Clan
from ratings.models import Player

__all__ = ["Membership", "Role", "Span", "end_spans"]


class Role(models.TextChoices):
    """What a member may do."""

    LEADER = "leader", _("leader")
    OFFICER = "officer", _("officer")
    MEMBER = "member", _("member")


class Span(models.Model):
    """From when until when a player was, or is, in a clan. What is over stays: a replay finds every event's clan.

    Of a player who was deleted it stays as its matches do, without a name.
    """

    clan = models.ForeignKey(
        Clan,
        verbose_name=_("clan"),
        on_delete=models.PROTECT,
        related_name="spans",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    since = models.DateTimeField(_("joined"), editable=False)
    until = models.DateTimeField(_("left"), null=True, editable=False)

    class Meta:
        verbose_name = _("time in a clan")
        verbose_name_plural = _("times in clans")
        ordering = ["id"]
        constraints = [
            # What the member's foreign key refers to.
            models.UniqueConstraint(fields=["id", "clan", "player"], name="clan_span_of_member"),
            models.UniqueConstraint(
                fields=["player"], condition=Q(until__isnull=True), name="clan_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")),
                name="clan_span_ends_after_it_begins",
            ),
        ]
        indexes = [
            models.Index(fields=["player", "since"], name="clan_span_of_player"),
            models.Index(fields=["clan", "id"], name="clan_span_of_clan"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.clan_id}"


def end_spans(spans: "QuerySet[Span]", now: datetime) -> None:
    """Let time in clans end now; what began by a clock that ran ahead ends as it began."""
    spans.update(until=Greatest(F("since"), now))


class Membership(models.Model):
    """A player in a clan, now: in one clan of the game at most."""

    clan = models.ForeignKey(
        Clan,
        verbose_name=_("clan"),
        on_delete=models.PROTECT,
        related_name="members",
        db_index=False,
    )
    player = models.OneToOneField(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="+"
    )
    span = models.OneToOneField(
        Span,
        verbose_name=_("time in the clan"),
        on_delete=models.PROTECT,
        related_name="+",
        editable=False,
    )
    place = models.PositiveSmallIntegerField(_("place"), editable=False)
    # The clan's, so that the database can say which places there are.
    most = models.PositiveSmallIntegerField(_("members at most"), editable=False)
    is_officer = models.BooleanField(_("officer"), default=False)
    joined_at = models.DateTimeField(_("joined"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("member of a clan")
        verbose_name_plural = _("members of clans")
        ordering = ["id"]
        constraints = [
            # Also the index by which members are read, and what the leader's foreign key refers to.
            models.UniqueConstraint(fields=["clan", "player"], name="clan_member_once"),
            models.UniqueConstraint(fields=["clan", "place"], name="clan_place_once"),
            models.CheckConstraint(condition=Q(place__lt=F("most")), name="clan_place_exists"),
        ]

    def __str__(self) -> str:
        return str(self.player)
