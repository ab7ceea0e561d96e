"""Who may turn to a player: what each has chosen for itself."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Player

__all__ = ["Asking", "ContactWishes", "Whom"]


class Whom(models.TextChoices):
    """Whom a player lets do something."""

    EVERYONE = "everyone", _("everyone")
    FRIENDS = "friends", _("friends only")
    NOBODY = "nobody", _("nobody")


class Asking(models.TextChoices):
    """Who may ask to be friends, and follow: friends have no need to."""

    EVERYONE = "everyone", _("everyone")
    NOBODY = "nobody", _("nobody")


class ContactWishes(models.Model):
    """What a player has chosen. Who has no row has chosen nothing: the defaults of the columns hold."""

    player = models.OneToOneField(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
    )
    write = models.CharField(
        _("may write to you"),
        max_length=10,
        choices=Whom,
        default=Whom.EVERYONE,
        db_default=Whom.EVERYONE,
    )
    challenge = models.CharField(
        _("may challenge you"),
        max_length=10,
        choices=Whom,
        default=Whom.EVERYONE,
        db_default=Whom.EVERYONE,
    )
    see = models.CharField(
        _("may see what you are at"),
        max_length=10,
        choices=Whom,
        default=Whom.FRIENDS,
        db_default=Whom.FRIENDS,
        help_text=_("Whether you search, play, or are in a room."),
    )
    ask = models.CharField(
        _("may follow you and ask to be friends"),
        max_length=10,
        choices=Asking,
        default=Asking.EVERYONE,
        db_default=Asking.EVERYONE,
    )

    class Meta:
        verbose_name = _("contact wishes")
        verbose_name_plural = _("contact wishes")
        constraints = [
            models.CheckConstraint(
                condition=Q(write__in=Whom) & Q(challenge__in=Whom) & Q(see__in=Whom),
                name="contact_wishes_whom",
            ),
            models.CheckConstraint(condition=Q(ask__in=Asking), name="contact_wishes_asking"),
        ]

    def __str__(self) -> str:
        return f"contact wishes of {self.player_id}"
