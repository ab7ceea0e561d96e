"""Matches."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from api.contract.pages import page_shape
from api.contract.shapes import Shape
from api.serializers.moderation.conduct import AbsenceShape
from api.serializers.players import PlayerRefShape
from api.serializers.words import MATCH_STATES
from matchmaking.conduct.absences import absences_from
from matchmaking.models import Absence
from ratings.ledger.contributions import Contribution
from ratings.matches.summary import Team, summary_of
from ratings.models import OPEN, Correction, EarlierResult, Match, MatchLog, Outcome

__all__ = ["MatchDetailShape", "MatchStateShape", "MatchesShape"]

# The words of those who report, for a result too.
_OUTCOMES = [Outcome.WON.value, Outcome.DRAWN.value, Outcome.LOST.value]


class MemberShape(Shape):
    """One player in a match."""

    player = PlayerRefShape()
    left_early = serializers.BooleanField()
    minutes = serializers.FloatField(allow_null=True)
    score = serializers.FloatField(allow_null=True, help_text="What the player counted.")
    character = serializers.CharField(allow_blank=True)


class TeamShape(Shape):
    """One team of a match. 0 is the best rank; equal ranks are a draw."""

    team = serializers.IntegerField(source="number", help_text="Counted from 0.")
    outcome = serializers.ChoiceField(
        choices=_OUTCOMES, allow_null=True, help_text="null until there is a result."
    )
    rank = serializers.IntegerField(allow_null=True)
    score = serializers.FloatField(allow_null=True, help_text="The game's own count.")
    members = MemberShape(many=True)
    partner = serializers.CharField(
        allow_blank=True,
        help_text="Name of a partner that the game has supplied as this team: it has no members. Empty: players.",
    )


class GuestOfMatchShape(Shape):
    """Who took part without being a player, as the game tells it."""

    name = serializers.CharField()
    team = serializers.IntegerField(
        help_text="Counted from 0; a number that no team has: a side of guests alone."
    )
    score = serializers.FloatField(allow_null=True)
    minutes = serializers.FloatField(allow_null=True)


class MatchShape(Shape):
    """A match."""

    id = serializers.IntegerField(source="pk")
    external_id = serializers.CharField(
        allow_null=True, help_text="The id in the game; null for whoever is no server of the game."
    )
    game = serializers.CharField(source="ladder.game.slug", help_text="Short name of the game.")
    simulated = serializers.BooleanField(
        source="ladder.game.simulated", help_text="The game's players are computer-made."
    )
    ladder = serializers.CharField(source="ladder.slug", help_text="Short name of the ladder.")
    state = serializers.ChoiceField(choices=MATCH_STATES)
    map = serializers.CharField(allow_blank=True)
    neutral = serializers.BooleanField(
        source="is_neutral", help_text="Nobody plays the better side; else the first team does."
    )
    rated = serializers.BooleanField(
        help_text="false: it is played and confirmed as any other, and changes no rating."
    )
    played_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="When the reports so far decide; null once it is decided."
    )
    confirmed_at = serializers.DateTimeField(allow_null=True)
    teams = TeamShape(many=True)
    guests = GuestOfMatchShape(many=True, help_text="No players; nothing counts them.")

    def get_external_id(self, match: Match) -> str | None:
        """The game's own ids are for its servers."""
        return match.external_id if self._caller.serves(match.game_id) else None

    def get_teams(self, match: Match) -> list[Team]:
        """Of a match that was read by `ratings.matches.summary.with_people`."""
        return summary_of(match).teams


class MatchStateShape(Shape):
    """Where a match stands."""

    id = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(choices=MATCH_STATES)
    due_at = serializers.DateTimeField(
        allow_null=True, help_text="When the reports so far decide; null once it is decided."
    )
    confirmed_at = serializers.DateTimeField(allow_null=True)


MatchesShape = page_shape("MatchesShape", MatchShape)


class MatchChangeShape(Shape):
    """What the match did to one player's rating."""

    player = serializers.IntegerField(source="player_id")
    points = serializers.FloatField()
    expected = serializers.FloatField(help_text="Score expected by the calculation.")
    actual = serializers.FloatField(
        help_text="1 won, 0.5 drawn, 0 lost; the mean over the other teams where there are several."
    )
    weight = serializers.FloatField(
        help_text="Points for a full surprise: points = weight × (actual - expected), or nearly so."
    )
    rating_before = serializers.FloatField(source="entry.value_before")


class ReportShape(Shape):
    """What a player said of the match."""

    player = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=Outcome.values)
    place = serializers.IntegerField(
        allow_null=True, help_text="Of the player's team, where there are more than two."
    )
    left_early = serializers.BooleanField()
    at = serializers.DateTimeField()


class EarlierShape(Shape):
    """What a match said of one player before a correction."""

    player = serializers.IntegerField(source="participant.player_id")
    rank = serializers.IntegerField(help_text="Of the player's team; 0 is best.")
    score = serializers.FloatField(allow_null=True)
    minutes = serializers.FloatField(allow_null=True)


class CorrectionShape(Shape):
    """A correction of a match's result."""

    number = serializers.IntegerField(help_text="From 1, the oldest.")
    at = serializers.DateTimeField()
    by = serializers.ChoiceField(choices=["operator", "server"], help_text="Who corrected it.")
    reason = serializers.CharField()
    before = EarlierShape(many=True, help_text="What stood there before, player by player.")

    def get_by(self, correction: Correction) -> str:
        return "operator" if correction.server_key is None else "server"

    def get_before(self, correction: Correction) -> Iterable[EarlierResult]:
        return correction.earlier.all()


class MatchDetailShape(MatchShape):
    """A match by itself."""

    changes = MatchChangeShape(
        many=True, help_text="Empty until it is rated, and where ratings are not shown."
    )
    reports = ReportShape(
        many=True, allow_null=True, help_text="For its players and the game's servers; else null."
    )
    away = AbsenceShape(
        many=True,
        allow_null=True,
        help_text="Who has lost the connection and is not back, while the match runs. For its players and the game's "
        "servers; else null.",
    )
    corrections = CorrectionShape(
        many=True, help_text="Of its result, the oldest first; `teams` say the corrected one."
    )
    server = serializers.CharField(
        allow_null=True,
        help_text="Short name of the game server that tells it event by event, as long as it is `playing` and after; "
        "null: it came otherwise. `GET /matches/{id}/events` has what was told.",
    )
    url = serializers.URLField(help_text="The match's page for people.")

    def get_server(self, match: Match) -> str | None:
        """Of a match that was read with its log."""
        log: MatchLog | None = getattr(match, "log", None)
        return None if log is None else log.server.slug

    def get_corrections(self, match: Match) -> Iterable[Correction]:
        if match.corrected_at is None:
            return []
        corrections = match.corrections.order_by("number")
        return corrections.prefetch_related("earlier__participant")

    def get_changes(self, _match: Match) -> Iterable[Contribution]:
        contributions: Iterable[Contribution] = self.context["contributions"]
        return contributions

    def get_reports(self, match: Match) -> Iterable[Any] | None:
        if not self._is_of(match):
            return None
        return match.reports.values("player", "outcome", "place", "left_early", "at")

    def get_away(self, match: Match) -> Iterable[Absence] | None:
        if not self._is_of(match):
            return None
        return absences_from(match.pk) if match.state in OPEN else []

    def _is_of(self, match: Match) -> bool:
        return self._caller.serves(match.game_id) or self._caller.is_participant_of(match)

    def get_url(self, match: Match) -> str:
        return self._url_of(match)
