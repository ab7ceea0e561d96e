"""Games and ladders."""

from datetime import datetime

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.words import RATED_BY
from leaderboards.boards import ranking
from leaderboards.boards.overview import LadderCard
from leaderboards.boards.ranking import Counts

__all__ = ["CountsShape", "GameShape", "LadderDetailShape", "LadderShape"]


class GameShape(Shape):
    """A game."""

    id = serializers.IntegerField(source="pk", help_text="As topics of events name it.")
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    simulated = serializers.BooleanField(help_text="Its players are computer-made.")


class LadderShape(Shape):
    """A ranked ladder: matches that are compared with each other."""

    id = serializers.IntegerField(source="ladder.pk", help_text="As events name it.")
    slug = serializers.CharField(source="ladder.slug")
    name = serializers.CharField(source="ladder.name")
    description = serializers.CharField(source="ladder.description", allow_blank=True)
    game = GameShape(source="ladder.game")
    rated_by = serializers.ChoiceField(
        source="ladder.rated_by",
        choices=RATED_BY,
        help_text="`events`: its matches come from game servers alone, event by event.",
    )
    team_count = serializers.IntegerField(source="ladder.team_count")
    team_size = serializers.IntegerField(source="ladder.team_size")
    fewest_teams = serializers.IntegerField(
        source="ladder.shape.fewest_teams",
        help_text="Results may have fewer teams, down to so many.",
    )
    smallest_team = serializers.IntegerField(
        source="ladder.shape.smallest_team",
        help_text="Results may have smaller teams, also unequal ones, down to so many players.",
    )
    system = serializers.CharField(
        source="track.system", allow_null=True, help_text="null while nothing rates it."
    )
    period_days = serializers.FloatField(
        source="track.period_days",
        allow_null=True,
        help_text="Days of a rating period; null: each match is rated at once.",
    )
    players = serializers.IntegerField(help_text="Players with a rating.")
    matches = serializers.IntegerField(help_text="Confirmed matches.")
    updated_at = serializers.DateTimeField(allow_null=True)


class CountsShape(Shape):
    """Players of a ladder: `total` = `listed` + `inactive` + `provisional`."""

    listed = serializers.IntegerField()
    inactive = serializers.IntegerField()
    provisional = serializers.IntegerField()
    total = serializers.IntegerField()


class LadderDetailShape(LadderShape):
    """A ranked ladder with its rules."""

    established_after = serializers.IntegerField(
        source="ladder.established_after", help_text="Counted games until established."
    )
    inactive_after_days = serializers.FloatField(source="ladder.inactive_after_days")
    lists_provisional = serializers.BooleanField(source="ladder.lists_provisional")
    drift_days = serializers.FloatField(
        source="ladder.drift_days",
        help_text="Between two dates on which time takes points from everybody, or gives them, where matches are rated "
        "at once.",
    )
    drift_next_at = serializers.DateTimeField(
        source="ladder.drift_next_at",
        allow_null=True,
        help_text="The next of these dates; null where neither is on, and with rating periods: then each ends with it.",
    )
    report_minutes = serializers.IntegerField(
        source="ladder.report_minutes", help_text="Until one report stands."
    )
    abandon_minutes = serializers.IntegerField(
        source="ladder.abandon_minutes", help_text="Until a match without report ends."
    )
    counts = CountsShape()
    next_update_at = serializers.DateTimeField(
        allow_null=True, help_text="End of the rating period; null where matches are rated at once."
    )

    def get_counts(self, card: LadderCard) -> Counts:
        return ranking.counts(card.track) if card.track else Counts()

    def get_next_update_at(self, card: LadderCard) -> datetime | None:
        return ranking.summary(card.track).next_update if card.track else None
