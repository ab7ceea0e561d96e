"""What players do in the game, as numbers that it names; and what is learned from them."""

from django.contrib.postgres.functions import TransactionNow
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models.games import Game
from ratings.models.matches import Participant
from ratings.models.tracks import RatingTrack
from ratings.systems.behaviour import KINDS, WINDOWS

LONGEST_FEATURE = 40
MOST_FEATURES = 32  # of a game
_NAME = r"\A[a-z][a-z0-9_]*\Z"


class Feature(models.Model):
    """Something that a game counts of each player in each match, such as accuracy."""

    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.CASCADE, related_name="features"
    )
    name = models.CharField(
        _("name"),
        max_length=LONGEST_FEATURE,
        validators=[
            RegexValidator(
                _NAME,
                _(
                    "“%(value)s” must begin with a small letter, and have only small letters, digits and underscores."
                ),
            )
        ],
        help_text=_("How the game calls it in what it sends, such as damage_per_minute."),
    )
    description = models.CharField(
        _("description"),
        max_length=200,
        blank=True,
        help_text=_("What it is, for the public page; what is high, what is low."),
    )
    easy_to_fake = models.BooleanField(
        _("easy to fake"),
        default=False,
        help_text=_(
            "Whether a player can raise it without playing better, as with actions per minute."
        ),
    )
    is_used = models.BooleanField(
        _("in use"),
        default=True,
        help_text=_("Whether estimates rest on it. If not, it is kept all the same."),
    )

    class Meta:
        verbose_name = _("feature of behaviour")
        verbose_name_plural = _("features of behaviour")
        ordering = ["game", "name"]
        constraints = [
            models.UniqueConstraint(
                "game",
                "name",
                name="feature_once_per_game",
                violation_error_message=_("This game has a feature of this name already."),
            ),
            models.CheckConstraint(condition=Q(name__regex=_NAME), name="feature_has_a_plain_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Raise ValidationError for one more than a game can have."""
        others = Feature.objects.filter(game=self.game_id).exclude(pk=self.pk)
        if self.game_id and others.count() >= MOST_FEATURES:
            words = gettext("A game has %(most)s features at most.") % {"most": MOST_FEATURES}
            raise ValidationError(words)


class Behaviour(models.Model):
    """What one player did in one match: finite numbers by names of features. Written by `ratings.behaviour.give`."""

    participant = models.OneToOneField(
        Participant,
        verbose_name=_("participant"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="behaviour",
    )
    features = models.JSONField(_("features"))
    given_at = models.DateTimeField(_("given"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("behaviour in a match")
        verbose_name_plural = _("behaviour in matches")
        indexes = [
            # Whether anything was given since a model was made.
            models.Index(fields=["given_at"], name="behaviour_given"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class BehaviourModel(models.Model):
    """What was learned for a track from behaviour in so many matches, and how well it foretells: made anew each time.

    `learned` is numbers and lists, read by `ratings.systems.behaviour.from_json`: nothing that runs.
    """

    track = models.ForeignKey(
        RatingTrack,
        verbose_name=_("rating track"),
        on_delete=models.CASCADE,
        related_name="behaviour_models",
        db_index=False,
    )
    matches = models.PositiveSmallIntegerField(
        _("matches"), help_text=_("On the last how many matches of a player an estimate rests.")
    )
    made_at = models.DateTimeField(_("learned"))
    features = models.JSONField(_("features"), help_text=_("Their names, in the model's order."))
    players = models.PositiveIntegerField(
        _("players"),
        help_text=_("Established ones with so many matches, from whom it was learned."),
    )
    errors = models.JSONField(
        _("errors"),
        help_text=_(
            "Of players that were held out, in rating points: of always the start value, of always the mean,"
            " and of each model. Empty: too few players to say."
        ),
    )
    folds = models.JSONField(_("errors by fold"))
    gain_at_least = models.FloatField(
        _("better by at least"),
        null=True,
        help_text=_("Lower end of the range that holds the difference in 95 of 100 cases."),
    )
    chosen = models.CharField(
        _("model in use"),
        max_length=10,
        blank=True,
        help_text=_("Empty: none is sure to beat a guess, and nothing is estimated."),
    )
    worth = models.JSONField(
        _("worth of the features"),
        help_text=_("By how many rating points the error grows without each."),
    )
    learned = models.JSONField(null=True, editable=False)

    class Meta:
        verbose_name = _("model of behaviour")
        verbose_name_plural = _("models of behaviour")
        ordering = ["track", "matches"]
        constraints = [
            models.UniqueConstraint("track", "matches", name="behaviour_model_once"),
            models.CheckConstraint(
                condition=Q(matches__in=WINDOWS), name="behaviour_model_of_known_matches"
            ),
            models.CheckConstraint(
                condition=Q(chosen="", learned__isnull=True)
                | Q(chosen__in=[*KINDS], learned__isnull=False, gain_at_least__gt=0),
                name="behaviour_model_used_where_better",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.track_id}, {self.matches}: {self.chosen or '–'}"

    @property
    def error(self) -> float | None:
        """That of the model in use, of players held out."""
        return self.errors[self.chosen] if self.chosen else None
