"""Parties: players who search together and stay in one team."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Case, Q, Value, When
from django.utils.translation import gettext_lazy as _

from ratings.models import Game, Player


class Party(models.Model):
    """Players of one game who search together, started by the leader. Anybody with the code may join."""

    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+"
    )
    leader = models.ForeignKey(
        Player,
        verbose_name=_("leader"),
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Searches for all, and may remove members."),
    )
    code = models.CharField(_("invitation code"), max_length=20, unique=True, editable=False)
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    # With `PartyMember.here` for two foreign keys (migration 0007): the leader of a live party is a live member of it,
    # and live members are in live parties only. Both hold when a transaction commits, whatever was forgotten before.
    live = models.GeneratedField(
        expression=Case(When(ended_at__isnull=True, then=Value(True))),
        output_field=models.BooleanField(null=True),
        db_persist=True,
        verbose_name=_("live"),
    )

    class Meta:
        verbose_name = _("party")
        verbose_name_plural = _("parties")
        ordering = ["-id"]
        constraints = [
            # What members' foreign key refers to.
            models.UniqueConstraint(fields=["id", "live"], name="party_live"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=models.F("created_at")),
                name="party_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class PartyMember(models.Model):
    """A player in a party. A player belongs to one game, so one live party each is one per player and game."""

    party = models.ForeignKey(
        Party,
        verbose_name=_("party"),
        on_delete=models.CASCADE,
        related_name="members",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="parties",
        db_index=False,
    )
    live = models.BooleanField(
        _("live"), default=True, help_text=_("Until the player leaves, or the party ends.")
    )
    joined_at = models.DateTimeField(_("joined"), db_default=TransactionNow(), editable=False)
    # The moment at which a search that this ended has ended, too: so its members are told why.
    left_at = models.DateTimeField(_("left"), null=True, editable=False)
    removed = models.BooleanField(
        _("removed"), db_default=False, editable=False, help_text=_("By who led the party.")
    )
    # Null instead of false, which foreign keys pass over and unique constraints never find twice.
    here = models.GeneratedField(
        expression=Case(When(live=True, then=Value(True))),
        output_field=models.BooleanField(null=True),
        db_persist=True,
        verbose_name=_("in the party"),
    )

    class Meta:
        verbose_name = _("party member")
        verbose_name_plural = _("party members")
        ordering = ["id"]
        constraints = [
            # Also the index by which a party's members are read, and what the leader's foreign key refers to.
            models.UniqueConstraint(fields=["party", "player", "here"], name="party_member_once"),
            models.UniqueConstraint(
                "player",
                condition=Q(live=True),
                name="party_one_live_per_player",
                violation_error_message=_("This player is in a party already."),
            ),
        ]
        indexes = [
            # A player's parties, newest first.
            models.Index(fields=["player", "-id"], name="party_of_player"),
        ]

    def __str__(self) -> str:
        return str(self.player)
