"""Who is asked into a clan, who asks to come, and who was sent away."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.utils.translation import gettext_lazy as _

from clans.models.clans import Clan
from foundation.timekeeping import Begun
from ratings.models import Player

__all__ = ["Application", "Invitation", "Removal"]


class Invitation(models.Model):
    """A player is asked into a clan. Answered, withdrawn or grown old it leaves no row."""

    clan = models.ForeignKey(
        Clan,
        verbose_name=_("clan"),
        on_delete=models.CASCADE,
        related_name="invitations",
        db_index=False,
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+"
    )
    by = models.ForeignKey(
        Player, verbose_name=_("invited by"), on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField(_("invited"), db_default=TransactionNow(), editable=False)

    # After a clock that ran ahead.
    begins_anew = (Begun("at"),)

    class Meta:
        verbose_name = _("invitation to a clan")
        verbose_name_plural = _("invitations to clans")
        ordering = ["id"]
        constraints = [models.UniqueConstraint("clan", "player", name="clan_invited_once")]
        indexes = [models.Index(fields=["at"], name="clan_invited_at")]

    def __str__(self) -> str:
        return f"{self.player_id} into {self.clan_id}"


class Application(models.Model):
    """A player asks to come into a clan. Answered, taken back or grown old it leaves no row."""

    clan = models.ForeignKey(
        Clan,
        verbose_name=_("clan"),
        on_delete=models.CASCADE,
        related_name="applications",
        db_index=False,
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField(_("asked"), db_default=TransactionNow(), editable=False)

    # After a clock that ran ahead.
    begins_anew = (Begun("at"),)

    class Meta:
        verbose_name = _("application to a clan")
        verbose_name_plural = _("applications to clans")
        ordering = ["id"]
        constraints = [models.UniqueConstraint("clan", "player", name="clan_applied_once")]
        indexes = [models.Index(fields=["at"], name="clan_applied_at")]

    def __str__(self) -> str:
        return f"{self.player_id} to {self.clan_id}"


class Removal(models.Model):
    """A player was sent away, and comes back only if the clan invites it."""

    clan = models.ForeignKey(
        Clan,
        verbose_name=_("clan"),
        on_delete=models.CASCADE,
        related_name="removals",
        db_index=False,
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.CASCADE, related_name="+"
    )

    class Meta:
        verbose_name = _("removal from a clan")
        verbose_name_plural = _("removals from clans")
        ordering = ["id"]
        constraints = [models.UniqueConstraint("clan", "player", name="clan_removed_once")]

    def __str__(self) -> str:
        return f"{self.player_id} out of {self.clan_id}"
