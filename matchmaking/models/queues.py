"""Queues: where players wait for a match of one ladder."""

from django.contrib.postgres.functions import TransactionNow
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from foundation.archiving import Archivable, in_use
from foundation.ranges import Ranges, validators_of
from matchmaking.pairing.settings import STRATEGIES
from ratings.models import Ladder, RatedBy

GAPS = ("gap_start", "gap_per_second", "gap_cap")
# The lowest and the highest value of columns, here, on the form and on the command line.
RANGES: Ranges = {
    "accept_seconds": (3, 600),
    "heartbeat_seconds": (5, 3600),
    "idle_seconds": (30, 86_400),
    "still_there_seconds": (10, 600),
    "partner_seconds": (10, 3600),
    "partner_answer_seconds": (3, 300),
    **dict.fromkeys(GAPS, (0, 100_000)),
}


class QueueQuerySet(models.QuerySet["Queue"]):
    """Reading queues."""

    def in_use(self) -> "QueueQuerySet":
        """Those that are not archived, nor their ladder, nor its game."""
        return self.filter(in_use("", "ladder__", "ladder__game__"))


class Queue(Archivable):
    """Where tickets wait, and how long its offers and heartbeats last."""

    ladder = models.ForeignKey(
        Ladder, verbose_name=_("ladder"), on_delete=models.PROTECT, related_name="queues"
    )
    slug = models.SlugField(_("short name"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    is_open = models.BooleanField(
        _("open"), default=True, help_text=_("A closed queue takes no new tickets.")
    )
    accept_seconds = models.PositiveIntegerField(
        _("seconds to accept"), default=20, validators=validators_of(RANGES, "accept_seconds")
    )
    heartbeat_seconds = models.PositiveIntegerField(
        _("seconds until a silent search ends"),
        default=60,
        validators=validators_of(RANGES, "heartbeat_seconds"),
        help_text=_(
            "A search ends when nothing has been heard from its page or game for this"
            " long. 5 to 3,600."
        ),
    )
    idle_seconds = models.PositiveIntegerField(
        _("seconds until “Still there?”"),
        null=True,
        blank=True,
        validators=validators_of(RANGES, "idle_seconds"),
        help_text=_(
            "Players whose pages have been hidden and untouched for this long are asked whether they"
            " are still there before a match is offered to them and others. Empty: nobody is asked."
        ),
    )
    still_there_seconds = models.PositiveIntegerField(
        _("seconds to answer “Still there?”"),
        default=30,
        db_default=30,
        validators=validators_of(RANGES, "still_there_seconds"),
        help_text=_("Whoever does not is taken out of the search; it is not held against anybody."),
    )
    partner_seconds = models.PositiveIntegerField(
        _("seconds until the game is asked for a partner"),
        null=True,
        blank=True,
        validators=validators_of(RANGES, "partner_seconds"),
        help_text=_(
            "Players who have waited for this long without a match, and want it, get a partner from the game's"
            " server for a match that isn't rated, such as a bot. The server must accept such requests by the API."
            " Empty: never."
        ),
    )
    partner_answer_seconds = models.PositiveIntegerField(
        _("seconds for the game to supply a partner"),
        default=15,
        db_default=15,
        validators=validators_of(RANGES, "partner_answer_seconds"),
        help_text=_(
            "Without an answer in this time the search goes on alone; the game is asked again after the time above."
        ),
    )
    accepts_by_itself = models.BooleanField(
        _("accept automatically"), default=False, help_text=_("Offers become matches at once.")
    )
    gap_start = models.FloatField(
        _("rating gap at the start"),
        default=100.0,
        validators=validators_of(RANGES, "gap_start"),
        help_text=_("How far apart two ratings may be for players who have just begun to wait."),
    )
    gap_per_second = models.FloatField(
        _("rating gap added per second"),
        default=5.0,
        validators=validators_of(RANGES, "gap_per_second"),
        help_text=_("How much more each player accepts for every second of waiting."),
    )
    gap_cap = models.FloatField(
        _("largest rating gap"),
        null=True,
        blank=True,
        validators=validators_of(RANGES, "gap_cap"),
        help_text=_("Empty: whoever waits long enough is matched with anyone."),
    )
    strategy = models.CharField(
        _("strategy"),
        max_length=10,
        choices=[(name, _(words)) for name, words in STRATEGIES.items()],
        default="filters",
    )
    settings = models.JSONField(
        _("settings"),
        default=dict,
        blank=True,
        help_text=_("What differs from the defaults, by section and name."),
    )
    # Who pairs this queue now. Whoever writes offers must still hold the token; it is free again after the deadline.
    sweep_token = models.UUIDField(_("sweep"), null=True, editable=False)
    # Its database session: when that is gone, the lease is free at once.
    sweep_backend = models.IntegerField(_("session of the sweep"), null=True, editable=False)
    sweep_until = models.DateTimeField(_("deadline of the sweep"), null=True, editable=False)
    swept_at = models.DateTimeField(_("last swept"), null=True, editable=False)
    created_at = models.DateTimeField(_("created"), db_default=TransactionNow(), editable=False)

    objects = QueueQuerySet.as_manager()

    class Meta:
        verbose_name = _("queue")
        verbose_name_plural = _("queues")
        ordering = ["ladder_id", "name", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(accept_seconds__gte=3), name="queue_accept_seconds"),
            models.CheckConstraint(
                condition=Q(heartbeat_seconds__gte=5), name="queue_heartbeat_seconds"
            ),
            models.CheckConstraint(
                condition=(Q(idle_seconds__isnull=True) | Q(idle_seconds__gte=30))
                & Q(still_there_seconds__gte=10),
                name="queue_still_there",
            ),
            models.CheckConstraint(
                condition=(Q(partner_seconds__isnull=True) | Q(partner_seconds__gte=10))
                & Q(partner_answer_seconds__gte=3),
                name="queue_partner",
            ),
            models.CheckConstraint(
                condition=Q(gap_start__gte=0, gap_per_second__gte=0)
                & (Q(gap_cap__isnull=True) | Q(gap_cap__gte=models.F("gap_start"))),
                name="queue_gaps",
                violation_error_message=_(
                    "The largest rating gap must not be below the gap at the start."
                ),
            ),
            models.CheckConstraint(
                condition=Q(strategy__in=list(STRATEGIES)), name="queue_strategy"
            ),
            models.CheckConstraint(
                condition=Q(sweep_token__isnull=True, sweep_until__isnull=True)
                | Q(sweep_token__isnull=False, sweep_until__isnull=False),
                name="queue_sweep_has_a_deadline",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse partners where they would have no place: they are the second of two teams."""
        super().clean()
        if self.ladder_id is not None and self.ladder.rated_by == RatedBy.EVENTS:
            words = _(
                "This ladder is rated by events of game servers: its matches come from them alone, and no queue makes"
                " any."
            )
            raise ValidationError({"ladder": words})
        if self.partner_seconds is None or self.ladder_id is None or self.ladder.team_count == 2:
            return
        words = _(
            "A partner of the game is the other one of two teams; matches of this ladder have %(teams)d."
            " Leave it empty."
        )
        raise ValidationError({"partner_seconds": words % {"teams": self.ladder.team_count}})

    @property
    def is_archived(self) -> bool:
        """Whether it is archived, or its ladder, or the game: then nobody searches here. Reads both."""
        return self.archived_at is not None or self.ladder.is_archived
