"""A player's ratings and how they changed."""

from rest_framework import serializers

from api.contract.shapes import Shape
from api.serializers.words import StatusField
from leaderboards.players.profile import LadderRating
from ratings.models import ChangeKind, Facet

__all__ = ["ChangeShape", "RatingsShape"]


class NamedRatingShape(Shape):
    """A player's rating on one map or with one character, as of now."""

    name = serializers.CharField(
        source="rating.facet",
        allow_blank=True,
        help_text="Of the map or character; empty where the game named none.",
    )
    rating = serializers.FloatField(source="belief.value")
    deviation = serializers.FloatField(source="belief.deviation", allow_null=True)
    status = StatusField(source="belief.status", allow_null=True)
    games = serializers.IntegerField(source="rating.games")
    wins = serializers.IntegerField(source="rating.wins")
    draws = serializers.IntegerField(source="rating.draws")
    losses = serializers.IntegerField(source="rating.losses")
    last_played_at = serializers.DateTimeField(source="rating.last_played_at")


class ApartShape(Shape):
    """A player's ratings by map or by character, the one played most first, and their mean."""

    by = serializers.ChoiceField(
        source="track.facet", choices=[Facet.MAP.value, Facet.CHARACTER.value]
    )
    system = serializers.CharField(source="track.system")
    mean = serializers.FloatField(source="overall.value", help_text="Weighted by games.")
    games = serializers.IntegerField(source="overall.games")
    status = StatusField(help_text="Of the mean.")
    ratings = NamedRatingShape(many=True)


class RatingShape(Shape):
    """A player's rating on one ladder, as of now."""

    ladder = serializers.CharField(source="ladder.slug", help_text="Short name of the ladder.")
    system = serializers.CharField(source="track.system")
    rating = serializers.FloatField(source="belief.value")
    deviation = serializers.FloatField(
        source="belief.deviation",
        allow_null=True,
        help_text="As of now; null where the system has none.",
    )
    low = serializers.FloatField(allow_null=True, help_text="Two deviations below.")
    high = serializers.FloatField(allow_null=True, help_text="Two deviations above.")
    status = StatusField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True, help_text="null while not listed.")
    listed = serializers.IntegerField(help_text="Players on the leaderboard.")
    inactive = serializers.BooleanField()
    games = serializers.IntegerField(source="rating.games")
    counted_games = serializers.IntegerField(
        source="rating.counted", help_text="That count towards established."
    )
    wins = serializers.IntegerField(source="rating.wins")
    draws = serializers.IntegerField(source="rating.draws")
    losses = serializers.IntegerField(source="rating.losses")
    win_share = serializers.FloatField(
        source="rating.win_share", allow_null=True, min_value=0, max_value=1
    )
    leave_share = serializers.FloatField(
        source="rating.leave_share", allow_null=True, min_value=0, max_value=1
    )
    performance = serializers.FloatField(
        source="performance.rating",
        allow_null=True,
        help_text="At which rating the score of the latest games would have been expected. null where all were won or "
        "lost, with fewer than 10 games, and but for Elo that rates each match at once.",
    )
    performance_games = serializers.IntegerField(help_text="Of how many games, 30 at most.")
    last_played_at = serializers.DateTimeField(source="rating.last_played_at")
    apart = ApartShape(
        source="facets",
        many=True,
        help_text="By map and by character, where the ladder rates these apart too.",
    )

    def get_low(self, shown: LadderRating) -> float | None:
        """Not rounded, as that of pages is."""
        value, deviation = shown.belief.value, shown.belief.deviation
        return None if deviation is None else value - 2 * deviation

    def get_high(self, shown: LadderRating) -> float | None:
        value, deviation = shown.belief.value, shown.belief.deviation
        return None if deviation is None else value + 2 * deviation

    def get_performance_games(self, shown: LadderRating) -> int:
        return shown.performance.games if shown.performance else 0


class RatingsShape(Shape):
    """All public ratings of a player, the ladder played last first."""

    results = RatingShape(many=True)


class ChangeShape(Shape):
    """One change of a rating: a row of the ledger."""

    id = serializers.IntegerField(source="pk")
    ladder = serializers.CharField(
        source="track.ladder.slug", help_text="Short name of the ladder."
    )
    kind = serializers.ChoiceField(choices=ChangeKind.values)
    at = serializers.DateTimeField()
    match = serializers.IntegerField(
        source="match_id", allow_null=True, help_text="The match that caused it."
    )
    period = serializers.IntegerField(
        source="period.number",
        allow_null=True,
        help_text="The rating period that caused it, counted from 0.",
    )
    games = serializers.IntegerField()
    expected = serializers.FloatField(allow_null=True, help_text="Score, summed over the games.")
    actual = serializers.FloatField(allow_null=True)
    weight = serializers.FloatField(allow_null=True, help_text="Points per unit of surprise.")
    rating_before = serializers.FloatField(source="value_before")
    rating_after = serializers.FloatField(source="value_after")
    deviation_before = serializers.FloatField(allow_null=True)
    deviation_after = serializers.FloatField(allow_null=True)
    status_before = StatusField(allow_null=True)
