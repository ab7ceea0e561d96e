"""What is said, where it may be said, and whom somebody does not want to hear."""

from django.contrib.postgres.functions import TransactionNow
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from foundation.ranges import Ranges, constraints_of, validators_of
from matchmaking.models import Party
from ratings.models import Game, Match, Player
from rooms.models import Room

__all__ = ["LONGEST_LINE", "Line", "Muted", "TalkRules"]

LONGEST_LINE = 300  # characters
_PLACES = ("party", "match", "room")
RANGES: Ranges = {"keep_days": (1, 3650), "lines_a_minute": (1, 120), "open_minutes": (0, 1440)}


class TalkRules(models.Model):
    """Whether and how players of a game may write to each other. A game without rules has no talk."""

    game = models.OneToOneField(
        Game, verbose_name=_("game"), on_delete=models.CASCADE, related_name="talk_rules"
    )
    is_on = models.BooleanField(
        _("on"),
        default=True,
        help_text=_(
            "Off: nobody writes or reads anything, and what was said stays as long as below."
        ),
    )
    keep_days = models.PositiveSmallIntegerField(
        _("days kept"),
        default=30,
        validators=validators_of(RANGES, "keep_days"),
        help_text=_("So long lines are kept. What a report carries is kept as long as the report."),
    )
    lines_a_minute = models.PositiveSmallIntegerField(
        _("lines a minute"),
        default=15,
        validators=validators_of(RANGES, "lines_a_minute"),
        help_text=_("So many lines one player may write in a minute, wherever it is."),
    )
    open_minutes = models.PositiveSmallIntegerField(
        _("minutes after a match"),
        default=15,
        validators=validators_of(RANGES, "open_minutes"),
        help_text=_("So long the players of a match may go on writing once it has ended."),
    )

    class Meta:
        verbose_name = _("rules of talk")
        verbose_name_plural = _("rules of talk")
        ordering = ["id"]
        constraints = constraints_of(RANGES, "talk_{}_in_range")

    def __str__(self) -> str:
        return str(self.game)


def _only_in(place: str) -> Q:
    return Q(**{f"{other}__isnull": other != place for other in _PLACES})


class Line(models.Model):
    """One line that a player wrote, in one place. Never changed, but for the name of somebody who is deleted; hidden
    by a moderator it is shown to no player.
    """

    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+", db_index=False
    )
    party = models.ForeignKey(
        Party,
        verbose_name=_("party"),
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,
    )
    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,
    )
    room = models.ForeignKey(
        Room,
        verbose_name=_("room"),
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,
    )
    team = models.PositiveSmallIntegerField(
        _("side"), null=True, help_text=_("Of a match, counted from 0: for this side alone.")
    )
    author = models.ForeignKey(
        Player, verbose_name=_("author"), on_delete=models.PROTECT, related_name="+", db_index=False
    )
    text = models.CharField(_("text"), max_length=LONGEST_LINE)
    said_at = models.DateTimeField(_("said"), db_default=TransactionNow(), editable=False)
    hidden_at = models.DateTimeField(_("hidden"), null=True, editable=False)

    class Meta:
        verbose_name = _("line")
        verbose_name_plural = _("lines")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=_only_in("party") | _only_in("match") | _only_in("room"),
                name="talk_line_in_one_place",
            ),
            models.CheckConstraint(
                condition=Q(team__isnull=True) | Q(match__isnull=False),
                name="talk_line_side_of_a_match",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="talk_line_says_something"),
        ]
        indexes = [
            # What a place shows, and what goes with it.
            models.Index(
                fields=["party", "id"], name="talk_of_party", condition=Q(party__isnull=False)
            ),
            models.Index(
                fields=["match", "id"], name="talk_of_match", condition=Q(match__isnull=False)
            ),
            models.Index(
                fields=["room", "id"], name="talk_of_room", condition=Q(room__isnull=False)
            ),
            # How much somebody has written lately, and all of it where it goes with the person.
            models.Index(fields=["author", "said_at"], name="talk_of_author"),
            # What is kept no longer.
            models.Index(fields=["game", "said_at"], name="talk_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class Muted(models.Model):
    """One player whom another does not want to hear. Nobody but that one sees it."""

    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="mutes",
        db_index=False,
    )
    muted = models.ForeignKey(
        Player, verbose_name=_("muted player"), on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(_("added"), db_default=TransactionNow(), editable=False)

    class Meta:
        verbose_name = _("muted player")
        verbose_name_plural = _("muted players")
        ordering = ["id"]
        constraints = [
            # Also the index by which whom a reader hears is found.
            models.UniqueConstraint("player", "muted", name="muted_once"),
            models.CheckConstraint(condition=~Q(player=F("muted")), name="muted_is_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} mutes {self.muted_id}"
