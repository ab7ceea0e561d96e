"""Feedback: whom a player liked playing with. Nobody but its author sees it."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ratings.models import Game, Match, Player


class FeedbackTag(models.TextChoices):
    """What an author may say of a player beside yes and no. The order is that of the columns of `pairing/taste`."""

    FRIENDLY = "friendly", _("friendly")
    TEAM_PLAYER = "team_player", _("team player")
    COMPETITIVE = "competitive", _("competitive")
    OBSCENE = "obscene", _("obscene")
    NONSENSE = "nonsense", _("talks nonsense")
    AGGRESSIVE = "aggressive", _("aggressive")


class Feedback(models.Model):
    """What one player said last of playing with another; the newest word replaces the one before."""

    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.CASCADE, related_name="+", db_index=False
    )
    author = models.ForeignKey(
        Player,
        verbose_name=_("author"),
        on_delete=models.CASCADE,
        related_name="feedback",
        db_index=False,
    )
    subject = models.ForeignKey(
        Player, verbose_name=_("about"), on_delete=models.CASCADE, related_name="+", db_index=False
    )
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        help_text=_("The last one together about which it was said, or skipped."),
    )
    enjoyed = models.BooleanField(
        _("enjoyed"), null=True, help_text=_("Whether the author enjoyed it; unknown: skipped.")
    )
    tags = ArrayField(
        models.CharField(max_length=20, choices=FeedbackTag.choices),
        verbose_name=_("tags"),
        default=list,
        db_default=[],
        blank=True,
    )
    at = models.DateTimeField(_("said"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")
        ordering = ["id"]
        constraints = [
            # Also the index by which an author's is read.
            models.UniqueConstraint("author", "subject", name="feedback_once"),
            models.CheckConstraint(
                condition=~Q(author=F("subject")), name="feedback_on_somebody_else"
            ),
            models.CheckConstraint(
                condition=Q(tags__contained_by=FeedbackTag.values), name="feedback_of_known_tags"
            ),
            models.CheckConstraint(
                condition=Q(enjoyed__isnull=False) | Q(tags=[]), name="feedback_tags_with_a_word"
            ),
        ]
        indexes = [
            models.Index(fields=["subject", "-id"], name="feedback_of_subject"),
            # Whether a game has any, and all of a game for learning.
            models.Index(
                fields=["game"], condition=Q(enjoyed__isnull=False), name="feedback_of_game"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.author_id} on {self.subject_id}"


class TasteModel(models.Model):
    """What has been learned from the feedback of a game, and how well it predicts: made anew each time.

    vectors is what `matchmaking/pairing/taste/packing.py` writes; it is read again where the version is another.
    """

    game = models.OneToOneField(
        Game, verbose_name=_("game"), on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    version = models.BigIntegerField(_("version"))
    made_at = models.DateTimeField(_("learned"))
    feedback = models.IntegerField(_("words of feedback"))
    held_out = models.IntegerField(
        _("held out"), help_text=_("Words that were predicted without having been learned from.")
    )
    auc_graph = models.FloatField(
        _("prediction by the graph"),
        null=True,
        help_text=_("0.5 is a guess, 1 is always right; empty: too little feedback to say."),
    )
    auc_learned = models.FloatField(_("prediction by what was learned"), null=True)
    gain_at_least = models.FloatField(
        _("better by at least"),
        null=True,
        help_text=_("Lower end of the range that holds the difference in 95 of 100 cases."),
    )
    is_used = models.BooleanField(
        _("in use"),
        default=False,
        help_text=_("Whether searches go by what was learned; otherwise by the graph alone."),
    )
    vectors = models.BinaryField(editable=False)

    class Meta:
        verbose_name = _("learned taste")
        verbose_name_plural = _("learned tastes")
        constraints = [
            models.CheckConstraint(
                condition=Q(is_used=False) | Q(gain_at_least__gt=0.03),
                name="taste_used_where_better",
            ),
            models.CheckConstraint(
                condition=Q(feedback__gte=0, held_out__gte=0), name="taste_counts_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}, version {self.version}"
