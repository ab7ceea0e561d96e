"""Rating tracks: by which system, with which parameters, and how far a ladder's matches are rated."""

from django.conf import settings
from django.contrib.postgres.functions import TransactionNow
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from foundation.archiving import Archivable, in_use
from ratings.models.ladders import Ladder, Mode


class TrackState(models.TextChoices):
    """What a track is for."""

    LIVE = "live", _("live")
    REPLAY = "replay", _("replaying")  # becomes live in the place of another when it has caught up
    RETIRED = "retired", _("retired")  # was replaced; rated no further


class Facet(models.TextChoices):
    """What a track rates apart of each player."""

    NONE = "", _("nothing: players as a whole")
    MAP = "map", _("each map")
    CHARACTER = "character", _("each character")


def public_when_shown(prefix: str = "") -> Q:
    """On tracks that rate players as a whole, on a ranked ladder. `prefix` leads to the track from another model."""
    return Q(**{f"{prefix}facet": Facet.NONE, f"{prefix}ladder__mode": Mode.RANKED})


def has_board(prefix: str = "") -> Q:
    """Tracks whose leaderboard is kept up: those that may be shown, and those that could be but that their ladder, or
    its game, is archived. `prefix` as above.
    """
    return public_when_shown(prefix) & Q(**{f"{prefix}shown": True})


def public(prefix: str = "") -> Q:
    """What may be shown, for tracks and all that belongs to one: said here and nowhere else. `prefix` as above."""
    return has_board(prefix) & in_use(f"{prefix}ladder__", f"{prefix}ladder__game__")


class BoardBy(models.TextChoices):
    """What a leaderboard is ordered by: ratings, or ratings less a number of deviations that the system declares."""

    RATING = "rating", _("rating")
    CONSERVATIVE = "conservative", _("conservative rating")


class RatingTrackQuerySet(models.QuerySet["RatingTrack"]):
    """Reading tracks."""

    def in_use(self) -> "RatingTrackQuerySet":
        """Those that are not archived, nor their ladder, nor its game."""
        return self.filter(in_use("", "ladder__", "ladder__game__"))

    def public(self) -> "RatingTrackQuerySet":
        """The tracks that players see, one of each ranked ladder at most."""
        return self.filter(public())


class RatingTrack(Archivable):
    """One system rating the matches of one ladder. A ladder may have several; one of them is shown.

    A track without period rates each match at once, in the ladder's sequence. A track with a period rates all
    matches of a period together when the period is over. Either catches up by itself from where it stands.
    """

    ladder = models.ForeignKey(
        Ladder, verbose_name=_("ladder"), on_delete=models.PROTECT, related_name="tracks"
    )
    system = models.CharField(_("rating system"), max_length=30)
    facet = models.CharField(
        _("rated apart"),
        max_length=60,
        blank=True,
        choices=Facet,
        help_text=_("With a map or character, a player has a rating of its own for each of them."),
    )
    generation = models.PositiveIntegerField(
        _("generation"), default=1, help_text=_("Grows each time the history is recalculated.")
    )
    state = models.CharField(
        _("state"), max_length=10, choices=TrackState, default=TrackState.LIVE, editable=False
    )
    replaces = models.ForeignKey(
        "self",
        verbose_name=_("replaces"),
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="replacements",
        help_text=_("The track whose history this one recalculates."),
    )
    shown = models.BooleanField(
        _("shown"),
        default=False,
        help_text=_("The track that players see. The others run in the shadow."),
    )
    shown_next = models.BooleanField(
        _("shown next"),
        default=False,
        editable=False,
        help_text=_("An operator wants players to see it: they do once its leaderboard is ready."),
    )
    shown_since = models.DateTimeField(
        _("shown since"),
        null=True,
        editable=False,
        help_text=_("When it took the place of another track that went on. Empty: it never did."),
    )
    period_days = models.FloatField(
        _("days in a rating period"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1 / 86400)],
        help_text=_("Empty: each match is rated at once."),
    )
    decimals = models.PositiveSmallIntegerField(
        _("decimals"),
        default=0,
        editable=False,
        help_text=_("In which people are shown its ratings; follows from the parameters."),
    )
    board_by = models.CharField(
        _("leaderboard ordered by"),
        max_length=12,
        choices=BoardBy,
        default=BoardBy.RATING,
        db_default=BoardBy.RATING,
        editable=False,
        help_text=_("The conservative rating is the rating less some deviations."),
    )
    starts_at = models.DateTimeField(
        _("start of the first period"),
        null=True,
        editable=False,
        help_text=_("Set by the first match."),
    )
    rated_seq = models.BigIntegerField(_("rated up to sequence number"), default=0, editable=False)
    closed_periods = models.BigIntegerField(_("closed periods"), default=0, editable=False)
    drifted_periods = models.BigIntegerField(
        _("periods behind which time has taken or given points"),
        default=0,
        db_default=0,
        editable=False,
        help_text=_("Fewer than are closed while that of one is due, or under way."),
    )
    drifted_player = models.BigIntegerField(
        _("drifted up to player"),
        default=0,
        db_default=0,
        editable=False,
        help_text=_("Of the date that is under way: players up to this one have had theirs."),
    )
    pool_grown_from = models.BigIntegerField(
        _("pool grown from event"),
        null=True,
        editable=False,
        help_text=_(
            "Sequence number or period from which only games against established players count."
        ),
    )
    revision = models.BigIntegerField(_("revision"), default=0, editable=False)
    updated_at = models.DateTimeField(_("updated"), null=True, editable=False)
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)

    objects = RatingTrackQuerySet.as_manager()

    class Meta:
        verbose_name = _("rating track")
        verbose_name_plural = _("rating tracks")
        ordering = ["ladder_id", "-shown", "id"]
        constraints = [
            models.UniqueConstraint(
                "ladder",
                "facet",
                condition=Q(shown=True),
                name="track_one_shown",
                violation_error_message=_("Another track of this ladder is shown already."),
            ),
            models.CheckConstraint(
                condition=Q(shown=False) | Q(state=TrackState.LIVE), name="track_shown_is_live"
            ),
            models.UniqueConstraint(
                "ladder", condition=Q(shown_next=True), name="track_one_shown_next"
            ),
            models.CheckConstraint(
                condition=Q(shown_next=False)
                | Q(shown=False, state=TrackState.LIVE, facet=Facet.NONE),
                name="track_shown_next_can_be",
            ),
            models.CheckConstraint(
                condition=Q(archived_at__isnull=True) | Q(shown=False, shown_next=False),
                name="track_archived_is_in_the_shadow",
            ),
            models.UniqueConstraint(
                "replaces", condition=Q(state=TrackState.REPLAY), name="track_one_replay"
            ),
            models.CheckConstraint(
                condition=Q(period_days__isnull=True) | Q(period_days__gt=0), name="track_period"
            ),
            models.CheckConstraint(
                condition=Q(rated_seq__gte=0, closed_periods__gte=0, revision__gte=0),
                name="track_progress_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(drifted_periods__gte=0, drifted_player__gte=0), name="track_drift"
            ),
            models.CheckConstraint(condition=Q(board_by__in=BoardBy.values), name="track_board_by"),
            models.CheckConstraint(
                condition=Q(closed_periods=0)
                | Q(period_days__isnull=False, starts_at__isnull=False),
                name="track_only_periods_are_closed",
            ),
        ]

    def __str__(self) -> str:
        name = f"{self.ladder} · {self.system}"
        if self.facet:
            name = f"{name} · {self.get_facet_display()}"
        return name if self.generation == 1 else f"{name} · {_('generation')} {self.generation}"

    @property
    def is_public_when_shown(self) -> bool:
        """The rule `public_when_shown`, for a track that was read."""
        return not self.facet and self.ladder.mode == Mode.RANKED

    @property
    def has_board(self) -> bool:
        """The rule `has_board`, for a track that was read."""
        return self.shown and self.is_public_when_shown


class ParameterVersion(models.Model):
    """Parameters of a track from one event on. Rows are only ever added: the history says what was in force when."""

    track = models.ForeignKey(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        related_name="versions",
    )
    number = models.PositiveIntegerField(_("version"))
    applies_from = models.BigIntegerField(
        _("applies from"),
        help_text=_("First sequence number, or first period for a track with periods."),
    )
    parameters = models.JSONField(
        _("parameters"),
        help_text=_("Everything the calculation needs, the ladder's time scale included."),
    )
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
    )
    note = models.TextField(_("note"), blank=True)

    class Meta:
        verbose_name = _("parameter version")
        verbose_name_plural = _("parameter versions")
        ordering = ["track_id", "-number"]
        constraints = [
            models.UniqueConstraint("track", "number", name="version_number_unique"),
            models.CheckConstraint(
                condition=Q(number__gte=1, applies_from__gte=0), name="version_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.track} v{self.number}"


class RatingPeriod(models.Model):
    """A closed rating period in which matches counted: an unbroken range of the ladder's sequence.

    Periods without a match have no row; `RatingTrack.closed_periods` counts them too.
    """

    track = models.ForeignKey(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        related_name="periods",
        db_index=False,
    )
    number = models.BigIntegerField(_("number"), help_text=_("Counted from 0."))
    version = models.ForeignKey(
        ParameterVersion,
        verbose_name=_("parameters"),
        on_delete=models.PROTECT,
        related_name="periods",
    )
    starts_at = models.DateTimeField(_("start"))
    ends_at = models.DateTimeField(_("end"))
    first_seq = models.BigIntegerField(_("first sequence number"))
    last_seq = models.BigIntegerField(_("last sequence number"))
    games = models.PositiveBigIntegerField(_("matches"))
    players = models.PositiveBigIntegerField(_("players"))
    new_players = models.PositiveBigIntegerField(_("new players"))
    mean = models.FloatField(
        _("mean rating"), help_text=_("Of everyone rated so far, after the period.")
    )
    spread = models.FloatField(_("spread"), help_text=_("Standard deviation of those ratings."))
    closed_at = models.DateTimeField(_("closed"))

    class Meta:
        verbose_name = _("rating period")
        verbose_name_plural = _("rating periods")
        ordering = ["track_id", "-number"]
        constraints = [
            models.UniqueConstraint("track", "number", name="period_number_unique"),
            # Also finds the period of a match: the first with last_seq at or above the match's place.
            models.UniqueConstraint("track", "last_seq", name="period_last_seq_unique"),
            models.CheckConstraint(
                condition=Q(starts_at__lt=models.F("ends_at")), name="period_has_length"
            ),
            models.CheckConstraint(
                condition=Q(first_seq__gte=1, last_seq__gte=models.F("first_seq")),
                name="period_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.track} #{self.number}"
