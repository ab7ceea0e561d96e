"""Rooms: where players gather for one match, with a host who says how it is to be."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from foundation.timekeeping import Begun
from groups.models import Group
from ratings.models import Game, Ladder, Match, Player
from ratings.models.players import INVISIBLE

__all__ = ["LIVE", "Access", "MapChoice", "Room", "RoomState", "StartRule", "TeamChoice"]


class RoomState(models.TextChoices):
    """Where a room is in its life. In the first three it is live."""

    OPEN = "open", _("open")
    DRAFTING = "drafting", _("drafting")
    STARTING = "starting", _("starting")
    STARTED = "started", _("started")
    CLOSED = "closed", _("closed")


LIVE = [RoomState.OPEN, RoomState.DRAFTING, RoomState.STARTING]


class Access(models.TextChoices):
    """Who may come, besides those whom the filters let in."""

    ALL = "open", _("everyone")
    FRIENDS = "friends", _("friends of the host")
    GROUP = "group", _("members of a group")
    CODE = "code", _("those with the code")


class TeamChoice(models.TextChoices):
    """How teams are made."""

    SEATED = "seated", _("as seated")
    BALANCED = "balanced", _("balanced")
    DRAFT = "draft", _("captains pick")


class MapChoice(models.TextChoices):
    """How the map is chosen."""

    GAME = "game", _("the game chooses")
    HOST = "host", _("the host chooses")
    VOTE = "vote", _("by vote")
    VETO = "veto", _("captains strike out in turns")


class StartRule(models.TextChoices):
    """When the match begins."""

    HOST = "host", _("when the host says so")
    FULL = "full", _("as soon as the room is full")
    READY = "ready", _("as soon as the room is full and all are ready")


class Room(models.Model):
    """A room of one ladder. What it is like, its host may change while it is open; its shape stays."""

    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+", db_index=False
    )
    ladder = models.ForeignKey(
        Ladder, verbose_name=_("ladder"), on_delete=models.PROTECT, related_name="rooms"
    )
    host = models.ForeignKey(
        Player,
        verbose_name=_("host"),
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Says how the match is to be, and may remove players."),
    )
    name = models.CharField(_("name"), max_length=60)
    note = models.CharField(_("note"), max_length=200, blank=True)
    category = models.CharField(_("category"), max_length=30)
    code = models.CharField(_("invitation code"), max_length=20, unique=True, editable=False)
    access = models.CharField(_("who may come"), max_length=10, choices=Access, default=Access.ALL)
    group = models.ForeignKey(
        Group,
        verbose_name=_("group of players"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Whose members may come, where only they may."),
    )
    team_count = models.PositiveSmallIntegerField(_("teams in a match"), editable=False)
    team_size = models.PositiveSmallIntegerField(_("players in a team"), editable=False)
    seats = models.PositiveSmallIntegerField(_("seats"), editable=False)
    team_choice = models.CharField(
        _("how teams are made"), max_length=10, choices=TeamChoice, default=TeamChoice.SEATED
    )
    map_choice = models.CharField(
        _("how the map is chosen"), max_length=10, choices=MapChoice, default=MapChoice.GAME
    )
    map = models.CharField(_("map"), max_length=60, blank=True)
    struck = models.JSONField(
        _("maps struck out"), default=list, blank=True, db_default=Value([], models.JSONField())
    )
    start_rule = models.CharField(
        _("when it starts"), max_length=10, choices=StartRule, default=StartRule.HOST
    )
    rated = models.BooleanField(
        _("rated"), default=True, help_text=_("Whether the match counts for ratings.")
    )
    options = models.JSONField(
        _("options"),
        default=list,
        blank=True,
        db_default=Value([], models.JSONField()),
        help_text=_("Words that players and the game are shown."),
    )
    filters = models.JSONField(
        _("filters"),
        default=dict,
        blank=True,
        db_default=Value({}, models.JSONField()),
        help_text=_("What players must be like to come in."),
    )
    state = models.CharField(_("state"), max_length=10, choices=RoomState, default=RoomState.OPEN)
    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="room",
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)
    # The last thing that somebody did: a room in which nothing happens closes.
    active_at = models.DateTimeField(_("last active"), db_default=TransactionNow(), editable=False)
    # Whose turn it is follows from who has picked; when it began and ends stands here.
    turn_began_at = models.DateTimeField(_("turn began"), null=True, editable=False)
    turn_ends_at = models.DateTimeField(_("turn ends"), null=True, editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    revision = models.PositiveIntegerField(_("revision"), default=0, editable=False)
    # As in parties: with `RoomMember.here` for two foreign keys that hold when a transaction commits.
    live = models.GeneratedField(
        expression=Case(When(ended_at__isnull=True, then=Value(True))),
        output_field=models.BooleanField(null=True),
        db_persist=True,
        verbose_name=_("live"),
    )

    # After a clock that ran ahead.
    begins_anew = (
        Begun("active_at", only=Q(ended_at=None)),
        Begun("turn_began_at", beside=("turn_ends_at",), only=Q(ended_at=None)),
    )

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        ordering = ["-id"]
        permissions = [("close_room", _("Can close rooms"))]
        constraints = [
            # What members' foreign keys refer to.
            models.UniqueConstraint(fields=["id", "live"], name="room_live"),
            models.UniqueConstraint(fields=["id", "seats"], name="room_seats"),
            models.CheckConstraint(
                condition=Q(team_count__gte=2, team_size__gte=1)
                & Q(seats=F("team_count") * F("team_size")),
                name="room_shape",
            ),
            models.CheckConstraint(
                condition=Q(state__in=LIVE, ended_at__isnull=True)
                | (~Q(state__in=LIVE) & Q(ended_at__isnull=False)),
                name="room_ended_has_a_time",
            ),
            # Of which one room has one at most, and one match one room.
            models.CheckConstraint(
                condition=Q(state=RoomState.STARTED, match__isnull=False)
                | (~Q(state=RoomState.STARTED) & Q(match__isnull=True)),
                name="room_started_has_a_match",
            ),
            models.CheckConstraint(
                condition=Q(turn_began_at__isnull=True, turn_ends_at__isnull=True)
                | Q(turn_began_at__isnull=False, turn_ends_at__isnull=False),
                name="room_turn_ends",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="room_has_a_name"),
            models.CheckConstraint(
                condition=~Q(name__regex=INVISIBLE) & ~Q(note__regex=INVISIBLE),
                name="room_texts_can_be_shown",
            ),
        ]
        indexes = [
            # The lists: live rooms of a game, the newest first.
            models.Index(
                fields=["game", "-id"], name="room_listed", condition=Q(ended_at__isnull=True)
            ),
            # What is to be done by the clock.
            models.Index(
                fields=["turn_ends_at"],
                name="room_turns",
                condition=Q(turn_ends_at__isnull=False),
            ),
            # What has ended, for those who clear up.
            models.Index(
                fields=["ended_at"], name="room_ended", condition=Q(ended_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    def get_absolute_url(self) -> str:
        """Address of the room's page."""
        return reverse("room", args=[self.pk])

    @property
    def is_live(self) -> bool:
        """Whether it has neither started nor closed."""
        return self.ended_at is None
