"""Matches and who took part."""

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from foundation.archiving import in_use
from ratings.models.games import Game
from ratings.models.imports import ImportedFile
from ratings.models.ladders import Ladder
from ratings.models.players import Player


class MatchState(models.TextChoices):
    """Where a match is in its life. Only confirmed matches are rated."""

    PLAYING = "playing", _("being played")
    REPORTED = "reported", _("reported")
    CONFIRMED = "confirmed", _("confirmed")
    DISPUTED = "disputed", _("disputed")
    ABANDONED = "abandoned", _("abandoned")
    ABORTED = "aborted", _("aborted")
    ANNULLED = "annulled", _("annulled")


# Nobody has decided these yet; each has a deadline, so that none stays open.
OPEN = [MatchState.PLAYING, MatchState.REPORTED]


_GOING_ON = Q(state__in=[*OPEN, MatchState.DISPUTED])


class MatchQuerySet(models.QuerySet["Match"]):
    """Reading matches."""

    def in_use(self) -> "MatchQuerySet":
        """Those whose ladder is not archived, nor its game; of the others such as are not over yet."""
        return self.filter(in_use("ladder__", "ladder__game__") | _GOING_ON)

    def named_by_server(self, game: int) -> "MatchQuerySet":
        """Those that servers of a game can ask for by their id: of its archived ladders, too, for events name them.
        Where the game itself is archived, such as are not over yet.
        """
        return self.filter(in_use("ladder__game__") | _GOING_ON, game=game)

    def visible_to(
        self,
        *,
        account: User | AnonymousUser | None = None,
        player: int | None = None,
        server_of: int | None = None,
    ) -> "MatchQuerySet":
        """The matches that somebody may see; every page and interface asks here. See `in_use`.

        Matches of ranked ladders are public. Those of ladders in normal mode are for their players (as an account,
        or by the id of a player), for servers of their game (by its id), and for staff who may view matches: from
        who met whom, and who won, anybody could reckon the ratings that are hidden.
        """
        seen = Q(ladder__in=Ladder.objects.public())
        if account is not None and account.is_authenticated:
            if account.is_staff and account.has_perm("ratings.view_match"):
                return self.in_use()
            seen |= _has_played(player__user=account.pk)
        if player is not None:
            seen |= _has_played(player=player)
        if server_of is not None:
            seen |= Q(game=server_of)
        return self.in_use().filter(seen)


def _has_played(**who: int) -> Q:
    return Q(models.Exists(Participant.objects.filter(match=models.OuterRef("pk"), **who)))


class Match(models.Model):
    """One match of a ladder: what ratings are made of.

    A confirmed match has a number in its ladder's sequence, and a time for which it counts. Both only ever grow
    together, so that every rating period is one unbroken range of the sequence.
    """

    ladder = models.ForeignKey(
        Ladder, verbose_name=_("ladder"), on_delete=models.PROTECT, related_name="matches"
    )
    game = models.ForeignKey(
        Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+"
    )
    external_id = models.CharField(
        _("id in the game"),
        max_length=100,
        help_text=_("How the game names this match. Unique in the game."),
    )
    state = models.CharField(
        _("state"), max_length=10, choices=MatchState, default=MatchState.PLAYING
    )
    map = models.CharField(_("map"), max_length=100, blank=True)
    is_neutral = models.BooleanField(
        _("neutral"),
        default=False,
        db_default=False,
        help_text=_("Nobody plays the better side. Otherwise the first team does: white, at home."),
    )
    rated = models.BooleanField(
        _("rated"),
        default=True,
        db_default=True,
        help_text=_(
            "Counts for ratings. Otherwise it has no place in the sequence, and changes none."
        ),
    )
    # The second team of a match whose first alone are players. Nobody's account, so it has no participant.
    partner = models.CharField(
        _("partner of the game"),
        max_length=60,
        blank=True,
        default="",
        db_default="",
        help_text=_("Whom the game supplied as the second team. Empty: all were players."),
    )
    partner_rank = models.PositiveSmallIntegerField(
        _("rank of the partner"), null=True, blank=True, editable=False
    )
    partner_score = models.FloatField(
        _("score of the partner"), null=True, blank=True, editable=False
    )
    played_at = models.DateTimeField(_("played"), help_text=_("When the match began."))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    due_at = models.DateTimeField(
        _("due"),
        null=True,
        blank=True,
        help_text=_("When the reports so far decide: one stands, none means abandoned."),
    )
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    counts_at = models.DateTimeField(
        _("counts for"),
        null=True,
        blank=True,
        help_text=_("Decides the rating period it falls into."),
    )
    ladder_seq = models.BigIntegerField(
        _("place in the sequence"), null=True, blank=True, editable=False
    )
    source = models.ForeignKey(
        ImportedFile,
        verbose_name=_("imported from"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
    )
    server_key = models.BigIntegerField(
        _("server key"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("Number of the key whose server gave the result. Empty: nobody's."),
    )
    corrected_at = models.DateTimeField(
        _("corrected"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("When its result was corrected last."),
    )
    extra = models.JSONField(_("further columns"), default=dict, blank=True)
    # By `ratings.matches.guests`. Nobody's account, so they have no participants, and nothing counts them.
    guests = models.JSONField(
        _("guests"),
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        editable=False,
        help_text=_("Who took part without being a player, as the game tells it. Never rated."),
    )

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                "game",
                "external_id",
                name="match_external_id_unique_in_game",
                violation_error_message=_("This game already has a match with this id."),
            ),
            # Also the index by which rating runs read a stretch of the sequence.
            models.UniqueConstraint("ladder", "ladder_seq", name="match_sequence_unique"),
            models.CheckConstraint(
                condition=Q(state__in=[MatchState.CONFIRMED, MatchState.ANNULLED])
                | Q(ladder_seq__isnull=True, counts_at__isnull=True),
                name="match_only_confirmed_is_in_sequence",
            ),
            models.CheckConstraint(
                condition=Q(ladder_seq__isnull=True, counts_at__isnull=True)
                | Q(ladder_seq__gte=1, counts_at__isnull=False),
                name="match_sequence_and_time_go_together",
            ),
            models.CheckConstraint(
                condition=Q(rated=True) | Q(ladder_seq__isnull=True),
                name="match_only_rated_is_in_sequence",
            ),
            models.CheckConstraint(
                condition=Q(partner="", partner_rank__isnull=True, partner_score__isnull=True)
                | (~Q(partner="") & Q(rated=False)),
                name="match_with_a_partner_is_not_rated",
            ),
            models.CheckConstraint(
                condition=~Q(state=MatchState.CONFIRMED) | Q(confirmed_at__isnull=False),
                name="match_confirmed_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state__in=OPEN, due_at__isnull=False)
                | (~Q(state__in=OPEN) & Q(due_at__isnull=True)),
                name="match_due_while_open",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=models.F("played_at")),
                name="match_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(corrected_at__isnull=True)
                | Q(state__in=[MatchState.CONFIRMED, MatchState.ANNULLED]),
                name="match_only_a_result_is_corrected",
            ),
        ]
        indexes = [
            # Confirmed matches that wait for their number in the sequence, in order of confirmation.
            models.Index(
                fields=["ladder", "confirmed_at", "id"],
                name="match_awaits_number",
                condition=Q(state=MatchState.CONFIRMED, ladder_seq__isnull=True, rated=True),
            ),
            # The same of the release before, which does not ask whether they are rated: a later release drops it.
            models.Index(
                fields=["ladder", "confirmed_at", "id"],
                name="match_unsequenced",
                condition=Q(state=MatchState.CONFIRMED, ladder_seq__isnull=True),
            ),
            # Open matches whose deadline is over.
            models.Index(fields=["due_at"], name="match_due", condition=Q(state__in=OPEN)),
            # Disputed matches, oldest first: they wait for an operator.
            models.Index(
                fields=["id"], name="match_disputed", condition=Q(state=MatchState.DISPUTED)
            ),
            # Those whose result a server key gave, for an operator who annuls them.
            models.Index(
                fields=["server_key"],
                name="match_by_server_key",
                condition=Q(server_key__isnull=False),
            ),
            # Those that count no longer, which pages leave out of how many a ladder has.
            models.Index(
                fields=["ladder"],
                name="match_annulled",
                condition=Q(state=MatchState.ANNULLED, ladder_seq__isnull=False),
            ),
            # The latest matches of a ladder, on its page and in the admin.
            models.Index(fields=["ladder", "-played_at", "-id"], name="match_latest"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    def get_absolute_url(self) -> str:
        """Address of the match's page."""
        return reverse("match", args=[self.pk])


class Participant(models.Model):
    """One player in one match."""

    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        related_name="participants",
        db_index=False,
    )
    player = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="participations",
        db_index=False,
    )
    reported_as = models.ForeignKey(
        Player,
        verbose_name=_("reported as"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        editable=False,
        db_index=False,
        help_text=_("Under which player it came, where that one was merged into the player."),
    )
    team = models.PositiveSmallIntegerField(_("team"), help_text=_("Counted from 0."))
    rank = models.PositiveSmallIntegerField(
        _("rank of the team"),
        null=True,
        blank=True,
        help_text=_("0 is best; equal ranks are a draw."),
    )
    score = models.FloatField(_("score in the game"), null=True, blank=True)
    character = models.CharField(_("character"), max_length=60, blank=True)
    minutes = models.FloatField(_("minutes played"), null=True, blank=True)
    left_early = models.BooleanField(_("left early"), default=False)
    playing = models.BooleanField(
        _("playing"),
        default=False,
        db_default=False,
        help_text=_("From the start of the match until the player's report or the match's end."),
    )

    class Meta:
        verbose_name = _("participant")
        verbose_name_plural = _("participants")
        ordering = ["match_id", "team", "id"]
        constraints = [
            # Also the index by which a match's participants are read.
            models.UniqueConstraint("match", "player", name="participant_once_per_match"),
            # A player plays one match of a game at a time, for a player belongs to one game.
            models.UniqueConstraint(
                "player",
                condition=Q(playing=True),
                name="participant_plays_once",
                violation_error_message=_("This player is in a match already."),
            ),
            models.CheckConstraint(
                condition=~Q(reported_as=models.F("player")),
                name="participant_reported_as_another",
            ),
            models.CheckConstraint(
                condition=Q(minutes__isnull=True) | Q(minutes__gte=0),
                name="participant_minutes_not_negative",
            ),
        ]
        indexes = [
            # A player's matches, newest first.
            models.Index(fields=["player", "-match"], name="participant_of_player"),
            # What goes back when players are unmerged: few, as merges are.
            models.Index(
                fields=["reported_as", "match"],
                name="participant_reported_as",
                condition=Q(reported_as__isnull=False),
            ),
            # What of them is not decided: few, however many were played.
            models.Index(
                fields=["player"], name="participant_undecided", condition=Q(rank__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)
