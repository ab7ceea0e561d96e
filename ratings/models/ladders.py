"""Ladders: within which players are compared."""

from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from foundation.archiving import Archivable, in_use
from ratings.models.games import Game
from ratings.models.match_shape import MatchShape


class Mode(models.TextChoices):
    """Ranked ladders are public; normal ones keep ratings for matchmaking and show them nowhere."""

    RANKED = "ranked", _("ranked")
    NORMAL = "normal", _("normal")


class RatedBy(models.TextChoices):
    """What the ratings of a ladder are made of."""

    RESULTS = "results", _("results of matches")
    EVENTS = "events", _("events of game servers")


class LadderQuerySet(models.QuerySet["Ladder"]):
    """Reading ladders."""

    def in_use(self) -> "LadderQuerySet":
        """Those that are not archived, nor their game."""
        return self.filter(in_use("", "game__"))

    def by_results(self) -> "LadderQuerySet":
        """Those on which players meet through the site; the matches of the others come from game servers."""
        return self.filter(rated_by=RatedBy.RESULTS)

    def public(self) -> "LadderQuerySet":
        """Ladders whose ratings may be shown. Every page and interface starts from here."""
        return self.in_use().filter(mode=Mode.RANKED)


class Ladder(Archivable):
    """Matches of one kind in one game, and the rules they are counted by.

    How they are rated is on the ladder's tracks; the time scale and the thresholds are here, shared by all tracks.
    """

    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="ladders"
    )
    slug = models.SlugField(
        _("short name"), unique=True, help_text=_("Used in addresses and commands.")
    )
    name = models.CharField(_("name"), max_length=120)
    description = models.TextField(_("description"), blank=True)
    mode = models.CharField(_("mode"), max_length=10, choices=Mode, default=Mode.RANKED)
    rated_by = models.CharField(
        _("rated by"),
        max_length=10,
        choices=RatedBy,
        default=RatedBy.RESULTS,
        db_default=RatedBy.RESULTS,
        help_text=_(
            "Events: game servers that players join and leave tell each frag, and ratings follow within seconds. Only"
            " with the system Frags."
        ),
    )
    team_count = models.PositiveSmallIntegerField(
        _("teams in a match"), default=2, validators=[MinValueValidator(2), MaxValueValidator(100)]
    )
    team_size = models.PositiveSmallIntegerField(
        _("players in a team"), default=1, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    # Empty: as many as there are at most.
    fewest_teams = models.PositiveSmallIntegerField(
        _("fewest teams in a match"),
        null=True,
        blank=True,
        validators=[MinValueValidator(2), MaxValueValidator(100)],
        help_text=_(
            "Results of matches may have fewer teams, down to so many. Empty: always as many as there are in a match."
        ),
    )
    smallest_team = models.PositiveSmallIntegerField(
        _("fewest players in a team"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_(
            "Results of matches may have smaller teams, down to so many, also unequal ones. Empty: all teams are full."
        ),
    )
    days_to_forget = models.FloatField(
        _("days to forget"),
        default=10000.0,
        validators=[MinValueValidator(1.0), MaxValueValidator(100_000.0)],
        help_text=_(
            "After this many days without play, an average rating is as uncertain as "
            "a new one. 1 to 100,000."
        ),
    )
    established_after = models.PositiveIntegerField(
        _("games until established"),
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text=_("Counted games after which a rating stops being provisional. 1 to 1,000."),
    )
    pool_minimum = models.PositiveIntegerField(
        _("established players for a grown pool"),
        default=20,
        validators=[MaxValueValidator(10_000)],
        help_text=_(
            "Until this many players are established, every rated game counts. 0 to 10,000."
        ),
    )
    inactive_after_days = models.FloatField(
        _("days until inactive"),
        default=180.0,
        validators=[MinValueValidator(1.0), MaxValueValidator(10_000.0)],
        help_text=_(
            "Players who haven't played for this many days are hidden from the "
            "leaderboard. 1 to 10,000."
        ),
    )
    lists_provisional = models.BooleanField(
        _("list provisional players"),
        default=False,
        help_text=_("Show players on the leaderboard before they are established, with a mark."),
    )
    drift_days = models.FloatField(
        _("days between two dates of decay or inflation"),
        default=7.0,
        db_default=7.0,
        validators=[MinValueValidator(0.05), MaxValueValidator(3650.0)],
        help_text=_(
            "Where a track without rating periods takes points from everybody by time, or gives them, it does so on"
            " these dates, at midnight UTC. 0.05 to 3,650."
        ),
    )
    report_minutes = models.PositiveIntegerField(
        _("minutes until one report stands"),
        default=15,
        validators=[MinValueValidator(1), MaxValueValidator(10_080)],
        help_text=_(
            "A report that no opponent has answered stands after this many minutes. 1 to 10,080."
        ),
    )
    abandon_minutes = models.PositiveIntegerField(
        _("minutes until a match is abandoned"),
        default=180,
        validators=[MinValueValidator(1), MaxValueValidator(10_080)],
        help_text=_(
            "A match that nobody has reported is abandoned, unrated, after this many "
            "minutes. 1 to 10,080."
        ),
    )
    last_seq = models.BigIntegerField(_("last sequence number"), default=0, editable=False)
    counted_until = models.DateTimeField(
        _("counted until"),
        null=True,
        editable=False,
        help_text=_("No match counts for a time before this: periods up to it may be closed."),
    )
    drift_next_at = models.DateTimeField(
        _("next date of decay or inflation"),
        null=True,
        editable=False,
        help_text=_("Empty while no track without rating periods has either."),
    )
    maps_counted_seq = models.BigIntegerField(
        _("maps counted up to sequence number"),
        default=0,
        db_default=0,
        editable=False,
        help_text=_("Up to here the matches of each player on each map are counted."),
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)

    objects = LadderQuerySet.as_manager()

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")
        ordering = ["game__name", "name", "id"]
        constraints = [
            # Matches refer to both columns, so that a match and its ladder agree on the game.
            models.UniqueConstraint("id", "game", name="ladder_id_and_game"),
            models.CheckConstraint(
                condition=Q(team_count__gte=2, team_size__gte=1), name="ladder_teams"
            ),
            models.CheckConstraint(
                condition=Q(fewest_teams__isnull=True)
                | Q(fewest_teams__gte=2, fewest_teams__lte=F("team_count")),
                name="ladder_fewest_teams",
                violation_error_message=_(
                    "The fewest teams of a match are 2 at least, and no more than a match has."
                ),
            ),
            models.CheckConstraint(
                condition=Q(smallest_team__isnull=True)
                | Q(smallest_team__gte=1, smallest_team__lte=F("team_size")),
                name="ladder_smallest_team",
                violation_error_message=_(
                    "The fewest players of a team are 1 at least, and no more than a team has."
                ),
            ),
            models.CheckConstraint(
                condition=Q(last_seq__gte=0), name="ladder_last_seq_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(maps_counted_seq__gte=0, maps_counted_seq__lte=F("last_seq")),
                name="ladder_maps_counted_within_sequence",
            ),
            models.CheckConstraint(
                condition=Q(days_to_forget__gte=1, days_to_forget__lte=100_000),
                name="ladder_days_to_forget",
            ),
            models.CheckConstraint(
                condition=Q(established_after__gte=1), name="ladder_established_after"
            ),
            models.CheckConstraint(
                condition=Q(inactive_after_days__gte=1), name="ladder_inactive_after"
            ),
            models.CheckConstraint(condition=Q(drift_days__gt=0), name="ladder_drift_days"),
            models.CheckConstraint(
                condition=Q(report_minutes__gte=1, abandon_minutes__gte=1), name="ladder_deadlines"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Address of the ladder's leaderboard."""
        return reverse("leaderboard", args=[self.slug])

    def shows_ratings_to(self, staff: User) -> bool:
        """Whether a page of the administration that is about something else may show them: those of normal mode to
        whoever may view matches (decision 22).
        """
        return self.mode == Mode.RANKED or staff.has_perm("ratings.view_match")

    @property
    def shape(self) -> MatchShape:
        """Which teams matches have. Queues, rooms and challenges play full ones."""
        return MatchShape(
            self.team_count,
            self.team_size,
            self.fewest_teams or self.team_count,
            self.smallest_team or self.team_size,
        )

    @property
    def is_archived(self) -> bool:
        """Whether it is archived, or its game: then nothing new begins here. Reads the game."""
        return self.archived_at is not None or self.game.archived_at is not None

    @property
    def topics(self) -> list[str]:
        """Which live streams hear of what happens here. That of the whole site is open to everybody: who met whom
        in normal mode, even if only by the number of a match, tells how strong they are.
        """
        own = [f"ladder:{self.pk}", f"game:{self.game_id}"]
        return [*own, "site"] if self.mode == Mode.RANKED else own
