"""What a game counts as bad conduct, how long that lasts, and what follows from it."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Game


class ConductRules(models.Model):
    """The rules of conduct of a game. A game without a row goes by the defaults."""

    game = models.OneToOneField(
        Game,
        verbose_name=_("game"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="conduct_rules",
    )
    since = models.DateTimeField(
        _("since"),
        db_default=TransactionNow(),
        editable=False,
        help_text=_("Matches that began earlier are not judged."),
    )
    half_life_days = models.FloatField(
        _("half-life (days)"),
        default=14.0,
        db_default=14.0,
        help_text=_("After this many days points count half."),
    )
    left = models.FloatField(_("points for leaving a match"), default=0.8, db_default=0.8)
    declined = models.FloatField(_("points for declining a match"), default=0.4, db_default=0.4)
    silent = models.FloatField(
        _("points for not answering"),
        default=0.4,
        db_default=0.4,
        help_text=_("For an offered match that was neither accepted nor declined in time."),
    )
    missed = models.FloatField(
        _("points for missing an appointment"),
        default=0.0,
        db_default=0.0,
        help_text=_("Where the other one came. 0: none."),
    )
    reported = models.FloatField(
        _("points for each player who reports"), default=0.2, db_default=0.2
    )
    reports_at_most = models.PositiveSmallIntegerField(
        _("reports counted at most"),
        default=3,
        db_default=3,
        help_text=_(
            "By different players within a half-life. The same player's further ones count nothing."
        ),
    )
    manners = models.FloatField(
        _("points for bad manners"),
        default=1.5,
        db_default=1.5,
        help_text=_("Confirmed by a moderator, who may choose other points."),
    )
    note_from = models.FloatField(
        _("told from"), default=0.2, db_default=0.2, help_text=_("Points. The first step: a note.")
    )
    cool_from = models.FloatField(
        _("cools off from"),
        default=0.7,
        db_default=0.7,
        help_text=_("Points. The second step: no searching for some time."),
    )
    cool_after = models.PositiveSmallIntegerField(
        _("offences before cooling off"),
        default=2,
        db_default=2,
        help_text=_("Within a half-life, this one included. 1: the first may lead to cooling off."),
    )
    cool_minutes = models.FloatField(
        _("cools off for (minutes)"),
        default=10.0,
        db_default=10.0,
        help_text=_("At exactly that many points; in proportion for more."),
    )
    cool_at_most_minutes = models.FloatField(
        _("cools off at most (minutes)"), default=1440.0, db_default=1440.0
    )
    like_from = models.FloatField(
        _("meets like players from"),
        default=1.0,
        db_default=1.0,
        help_text=_(
            "Points. The third step: matched among players of bad conduct for the first part of a"
            " search, in queues that use “Conduct”."
        ),
    )
    rejoin_seconds = models.PositiveIntegerField(
        _("time to come back (seconds)"),
        default=180,
        db_default=180,
        help_text=_("Whoever lost the connection and is back within it has not left."),
    )
    crash_seconds = models.PositiveIntegerField(
        _("dropped together within (seconds)"),
        default=20,
        db_default=20,
        help_text=_(
            "When more than half of a match drop within this time the server has failed, and nobody"
            " has left."
        ),
    )

    class Meta:
        verbose_name = _("rules of conduct")
        verbose_name_plural = _("rules of conduct")
        ordering = ["game_id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(half_life_days__gte=0.1, half_life_days__lte=3650),
                name="conduct_rules_half_life",
                violation_error_message=_("The half-life is 0.1 to 3650 days."),
            ),
            models.CheckConstraint(
                condition=Q(left__gte=0, left__lte=100)
                & Q(declined__gte=0, declined__lte=100)
                & Q(silent__gte=0, silent__lte=100)
                & Q(reported__gte=0, reported__lte=100)
                & Q(manners__gte=0, manners__lte=100),
                name="conduct_rules_points",
                violation_error_message=_("Points for an offence are 0 to 100."),
            ),
            models.CheckConstraint(
                condition=Q(missed__gte=0, missed__lte=100),
                name="conduct_rules_missed",
                violation_error_message=_("Points for an offence are 0 to 100."),
            ),
            models.CheckConstraint(
                condition=Q(note_from__gte=0.01)
                & Q(cool_from__gte=F("note_from"))
                & Q(like_from__gte=F("note_from"))
                & Q(cool_from__lte=1000, like_from__lte=1000),
                name="conduct_rules_steps",
                violation_error_message=_(
                    "Being told comes first: it needs 0.01 points or more, and cooling off and"
                    " meeting like players at least as many, 1000 at most."
                ),
            ),
            models.CheckConstraint(
                condition=Q(cool_after__gte=1, cool_minutes__gte=0)
                & Q(cool_at_most_minutes__gte=F("cool_minutes"))
                & Q(cool_at_most_minutes__lte=43200),
                name="conduct_rules_cooling",
                violation_error_message=_(
                    "Cooling off comes after 1 offence or more, and lasts at most 30 days; its"
                    " longest time must not be below its time."
                ),
            ),
            models.CheckConstraint(
                condition=Q(rejoin_seconds__lte=3600, crash_seconds__lte=600),
                name="conduct_rules_windows",
                violation_error_message=_(
                    "The time to come back is at most 3600 seconds, that of dropping together 600."
                ),
            ),
        ]

    def __str__(self) -> str:
        return str(self.game)
