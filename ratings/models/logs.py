"""Logs of matches: what a game server tells while it is played, event by event.

Events are stored once, in the order of their numbers, and only ever added: a trigger holds that in the database.
"""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import TransactionNow
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from foundation.archiving import Archivable, in_use
from ratings.models.games import Game
from ratings.models.ladders import Ladder
from ratings.models.matches import Match
from ratings.models.players import Player
from ratings.models.tracks import RatingTrack


class EventKind(models.IntegerChoices):
    """What can happen in a match."""

    BEGIN = 1, _("begin")
    JOIN = 2, _("join")
    LEAVE = 3, _("leave")
    FRAG = 4, _("frag")
    SUICIDE = 5, _("suicide")
    TEAM_KILL = 6, _("team kill")
    CAPTURE = 7, _("capture")
    SCORE = 8, _("score")
    ROUND = 9, _("round")
    END = 10, _("end")


# Those that move ratings.
RATED_KINDS = frozenset(
    kind.value
    for kind in (
        EventKind.FRAG,
        EventKind.SUICIDE,
        EventKind.TEAM_KILL,
        EventKind.CAPTURE,
        EventKind.SCORE,
    )
)


class GameServerQuerySet(models.QuerySet["GameServer"]):
    """Reading servers."""

    def in_use(self) -> "GameServerQuerySet":
        """Those that are not archived, nor their ladder, nor their game."""
        return self.filter(in_use("", "ladder__", "ladder__game__"))

    def with_last_event(self) -> "GameServerQuerySet":
        """With when the last event came of the newest match, as `last_event_at`: None where nothing was told."""
        newest = MatchLog.objects.filter(server=OuterRef("pk")).order_by("-match")
        return self.annotate(last_event_at=Subquery(newest.values("last_event_at")[:1]))


class GameServer(Archivable):
    """A server of a game on which matches are played that are rated from their events."""

    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="servers"
    )
    ladder = models.ForeignKey(
        Ladder,
        verbose_name=_("ladder"),
        on_delete=models.PROTECT,
        related_name="servers",
        help_text=_("On which its matches count. It must be rated by events."),
    )
    slug = models.CharField(
        _("short name"),
        max_length=40,
        validators=[RegexValidator(r"^[a-z0-9_-]+\Z")],
        help_text=_("Used in addresses. Small letters, digits, hyphens and underscores."),
    )
    name = models.CharField(_("name"), max_length=100)
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)

    objects = GameServerQuerySet.as_manager()

    class Meta:
        verbose_name = _("game server")
        verbose_name_plural = _("game servers")
        ordering = ["game_id", "name", "id"]
        constraints = [
            models.UniqueConstraint(
                "game",
                "slug",
                name="game_server_slug_unique",
                violation_error_message=_("This game has a server of this short name."),
            ),
            models.CheckConstraint(
                condition=Q(slug__regex=r"^[a-z0-9_-]+$"), name="game_server_slug"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Address of the server's page; its game is read."""
        return reverse("server", args=[self.game.slug, self.slug])


class MatchLog(models.Model):
    """What a server has told of one match: which of its events are here, and which of them count.

    Events count in the order of their numbers. Where some are missing, those behind them wait, until they come or are
    given up (`LogGap`).
    """

    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="log",
    )
    server = models.ForeignKey(
        GameServer,
        verbose_name=_("game server"),
        on_delete=models.PROTECT,
        related_name="logs",
        db_index=False,
    )
    name = models.CharField(
        _("name"), max_length=50, help_text=_("How the server names the match.")
    )
    # Places of the teams, by number: "=name" of a team, "#id" of a player without one.
    sides = ArrayField(models.CharField(max_length=40), verbose_name=_("sides"), default=list)
    highest = models.IntegerField(_("highest number"), default=0)
    complete_to = models.IntegerField(
        _("complete up to"), default=0, help_text=_("Up to here no event is waited for.")
    )
    sequenced_to = models.IntegerField(
        _("in the sequence up to"),
        default=0,
        help_text=_("Up to here events have their place in the ladder's sequence."),
    )
    ends_with = models.IntegerField(
        _("ends with"), null=True, help_text=_("Number of the event that ends the match.")
    )
    gap_since = models.DateTimeField(
        _("gap since"), null=True, help_text=_("Since when events are missing below the highest.")
    )
    last_event_at = models.DateTimeField(_("last event received"))
    counted_at = models.DateTimeField(
        _("counted"),
        null=True,
        editable=False,
        help_text=_("When its frags were counted for statistics, after its end."),
    )

    class Meta:
        verbose_name = _("log of a match")
        verbose_name_plural = _("logs of matches")
        constraints = [
            models.UniqueConstraint("server", "name", name="match_log_name_unique"),
            models.CheckConstraint(
                condition=Q(
                    sequenced_to__gte=0,
                    complete_to__gte=F("sequenced_to"),
                    highest__gte=F("complete_to"),
                ),
                name="match_log_in_order",
            ),
            models.CheckConstraint(
                condition=Q(gap_since__isnull=True, highest=F("complete_to"))
                | Q(gap_since__isnull=False, highest__gt=F("complete_to")),
                name="match_log_gap_is_known",
            ),
            models.CheckConstraint(
                condition=Q(ends_with__isnull=True) | Q(highest__lte=F("ends_with")),
                name="match_log_nothing_after_its_end",
            ),
        ]
        indexes = [
            # What waits for its place in the sequence.
            models.Index(
                fields=["match"],
                name="match_log_unsequenced",
                condition=Q(complete_to__gt=F("sequenced_to")),
            ),
            models.Index(
                fields=["gap_since"], name="match_log_gaps", condition=Q(gap_since__isnull=False)
            ),
            # What statistics do not have yet.
            models.Index(
                fields=["match"],
                name="match_log_uncounted",
                condition=Q(counted_at__isnull=True),
            ),
            # The newest matches of a server.
            models.Index(fields=["server", "-match"], name="match_log_newest"),
        ]

    def __str__(self) -> str:
        return self.name


class LogEvent(models.Model):
    """One event of a match. `player` did it, to `victim`; a guest has a name alone, and is never rated."""

    pk = models.CompositePrimaryKey("log_id", "number")
    log = models.ForeignKey(
        MatchLog,
        verbose_name=_("log of a match"),
        on_delete=models.CASCADE,
        related_name="events",
        db_index=False,
        db_constraint=False,
    )
    # Checked for all rows of a statement together, as the log is (see the migration): by row it took most of the time.
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    victim = models.ForeignKey(
        Player,
        verbose_name=_("victim"),
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    at = models.DateTimeField(_("at"))
    weight = models.FloatField(
        _("weight"), null=True, help_text=_("How many frags it is worth. Empty: as its kind is.")
    )
    number = models.IntegerField(_("number"))
    kind = models.SmallIntegerField(_("kind"), choices=EventKind)
    counts = models.BooleanField(
        _("counts"),
        help_text=_("Whether it is rated: not with guests, nor with suspended players."),
    )
    detail = models.CharField(
        _("detail"), max_length=60, blank=True, help_text=_("The weapon, or the team joined.")
    )
    guest = models.CharField(_("guest"), max_length=100, blank=True)
    guest_victim = models.CharField(_("guest as victim"), max_length=100, blank=True)

    class Meta:
        verbose_name = _("event of a match")
        verbose_name_plural = _("events of matches")
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=1), name="log_event_number"),
            models.CheckConstraint(
                condition=Q(weight__isnull=True) | Q(weight__gt=0, weight__lte=1000),
                name="log_event_weight",
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=True) | Q(guest=""), name="log_event_player_or_guest"
            ),
            models.CheckConstraint(
                condition=Q(victim__isnull=True) | Q(guest_victim=""),
                name="log_event_victim_or_guest",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {EventKind(self.kind).label}"


class LogGap(models.Model):
    """Events that never came: given up, so that those behind them count."""

    log = models.ForeignKey(
        MatchLog, verbose_name=_("log of a match"), on_delete=models.CASCADE, related_name="gaps"
    )
    first = models.IntegerField(_("first number"))
    last = models.IntegerField(_("last number"))
    given_up_at = models.DateTimeField(_("given up"), db_default=TransactionNow())

    class Meta:
        verbose_name = _("gap in a log")
        verbose_name_plural = _("gaps in logs")
        ordering = ["log_id", "first"]
        constraints = [
            models.UniqueConstraint("log", "first", name="log_gap_once"),
            models.CheckConstraint(
                condition=Q(first__gte=1, last__gte=F("first")), name="log_gap_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


class LogStretch(models.Model):
    """Events of one match that stand together in the sequence of their ladder, by one number of it."""

    pk = models.CompositePrimaryKey("ladder_id", "seq")
    ladder = models.ForeignKey(
        Ladder,
        verbose_name=_("ladder"),
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )
    log = models.ForeignKey(
        MatchLog,
        verbose_name=_("log of a match"),
        on_delete=models.PROTECT,
        related_name="stretches",
        db_index=False,
    )
    seq = models.BigIntegerField(_("place in the sequence"))
    first = models.IntegerField(_("first number"))
    last = models.IntegerField(_("last number"))

    class Meta:
        verbose_name = _("stretch of a log")
        verbose_name_plural = _("stretches of logs")
        constraints = [
            models.CheckConstraint(
                condition=Q(seq__gte=1, first__gte=1, last__gte=F("first")),
                name="log_stretch_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


class LogTally(models.Model):
    """What a track has rated of one player in one match so far; when the match is over, its change in the ledger.

    expected, actual  shares, summed up, each by the weight of its event; their difference is the change, but for what
                      the floor kept
    points            what its events have moved. Of two matches at once it is not the difference of the values.
    """

    pk = models.CompositePrimaryKey("match_id", "track_id", "player_id")
    track = models.ForeignKey(
        RatingTrack, verbose_name=_("rating track"), on_delete=models.CASCADE, related_name="+"
    )
    match = models.ForeignKey(
        Match, verbose_name=_("match"), on_delete=models.PROTECT, related_name="+", db_index=False
    )
    player = models.ForeignKey(
        Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="+", db_index=False
    )
    team = models.CharField(_("team"), max_length=40, blank=True)
    frags = models.IntegerField(_("frags"))
    deaths = models.IntegerField(_("deaths"))
    suicides = models.IntegerField(_("suicides"))
    team_kills = models.IntegerField(_("team kills"))
    goals = models.IntegerField(_("goals"))
    expected = models.FloatField(_("expected"))
    actual = models.FloatField(_("actual"))
    weight = models.FloatField(_("weight"))
    value_before = models.FloatField(_("rating before"))
    value_after = models.FloatField(_("rating after"))
    points = models.FloatField(_("points"))
    in_ledger = models.BooleanField(_("in the ledger"), default=False, db_default=False)

    class Meta:
        verbose_name = _("tally of a log")
        verbose_name_plural = _("tallies of logs")
        indexes = [
            # What of a player the ledger does not have yet: matches that go on.
            models.Index(
                fields=["track", "player"],
                name="log_tally_open",
                condition=Q(in_ledger=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(frags__gte=0, deaths__gte=0, suicides__gte=0, team_kills__gte=0)
                & Q(goals__gte=0, weight__gte=0),
                name="log_tally_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.value_before:.1f} → {self.value_after:.1f}"
