"""Members of rooms: who sits, who watches, and who was removed for good."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils.translation import gettext_lazy as _

from foundation.timekeeping import Begun
from ratings.models import Player
from rooms.models.rooms import Room

__all__ = ["RoomMember"]


class RoomMember(models.Model):
    """A player in a room: one row for the two for ever, live or not. Whoever was removed is never live again."""

    room = models.ForeignKey(
        Room,
        verbose_name=_("room"),
        on_delete=models.CASCADE,
        related_name="members",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="rooms",
        db_index=False,
    )
    live = models.BooleanField(_("live"), default=True, help_text=_("Until the player leaves."))
    removed = models.BooleanField(
        _("removed"), default=False, help_text=_("By the host, for good.")
    )
    seat = models.PositiveSmallIntegerField(
        _("seat"), null=True, blank=True, help_text=_("From 0, team by team. Empty: watches.")
    )
    # The room's, so that the database can say which seats there are.
    seats = models.PositiveSmallIntegerField(_("seats"), editable=False)
    is_ready = models.BooleanField(_("ready"), default=False)
    # The team as captains have picked it, in the order of picks; a captain's own is 0.
    team = models.PositiveSmallIntegerField(_("team"), null=True, blank=True)
    picked = models.PositiveSmallIntegerField(_("pick"), null=True, blank=True)
    vote = models.CharField(_("vote for a map"), max_length=60, blank=True)
    wishes = models.JSONField(
        _("preferences"), default=dict, blank=True, db_default=Value({}, models.JSONField())
    )
    misfit = models.CharField(
        _("no longer fits"),
        max_length=30,
        blank=True,
        db_default="",
        help_text=_("What of the filters, as the host has changed them since."),
    )
    joined_at = models.DateTimeField(_("joined"), db_default=TransactionNow())
    seen_at = models.DateTimeField(_("last heard from"), db_default=TransactionNow())
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    # Null instead of false, which foreign keys pass over and unique constraints never find twice.
    here = models.GeneratedField(
        expression=Case(When(live=True, then=Value(True))),
        output_field=models.BooleanField(null=True),
        db_persist=True,
        verbose_name=_("in the room"),
    )

    # After a clock that ran ahead.
    begins_anew = (Begun("seen_at", only=Q(live=True)),)

    class Meta:
        verbose_name = _("room member")
        verbose_name_plural = _("room members")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["room", "player"], name="room_member_once"),
            # What the host's foreign key refers to.
            models.UniqueConstraint(fields=["room", "player", "here"], name="room_member_here"),
            # A player belongs to one game, so this is one live room per player and game.
            models.UniqueConstraint(
                "player",
                condition=Q(live=True),
                name="room_one_live_per_player",
                violation_error_message=_("This player is in a room already."),
            ),
            models.UniqueConstraint(
                "room", "seat", condition=Q(live=True, seat__isnull=False), name="room_seat_once"
            ),
            models.CheckConstraint(
                condition=Q(seat__isnull=True) | Q(seat__lt=F("seats")), name="room_seat_exists"
            ),
            models.CheckConstraint(
                condition=Q(live=False) | Q(removed=False), name="room_removed_stays_out"
            ),
            models.CheckConstraint(
                condition=Q(live=True) | Q(left_at__isnull=False), name="room_left_has_a_time"
            ),
            models.UniqueConstraint(
                "room",
                "picked",
                condition=Q(live=True, picked__gt=0),
                name="room_pick_once",
            ),
        ]
        indexes = [
            # A player's rooms, newest first.
            models.Index(fields=["player", "-id"], name="room_of_player"),
        ]

    def __str__(self) -> str:
        return str(self.player)

    @property
    def player_text(self) -> str:
        """The player's id as a text, for names of elements."""
        return str(self.player_id)
