"""A player's ratings and how they changed."""

from typing import Any

from rest_framework import serializers

from api.serializers.games import Answer
from api.serializers.words import STATUSES, status_word
from leaderboards.players.facet_ratings import Apart, ApartRating
from leaderboards.players.profile import LadderRating
from ratings.models import ChangeKind, Facet, RatingChange

__all__ = ["ChangeShape", "RatingShape", "RatingsShape", "change_of", "rating_of"]


class NamedRatingShape(serializers.Serializer[Any]):
    """A player's rating on one map or with one character, as of now."""

    name = serializers.CharField(
        allow_blank=True, help_text="Of the map or character; empty where the game named none."
    )
    rating = serializers.FloatField()
    deviation = serializers.FloatField(allow_null=True)
    status = serializers.ChoiceField(choices=STATUSES, allow_null=True)
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    last_played_at = serializers.DateTimeField()


class ApartShape(serializers.Serializer[Any]):
    """A player's ratings by map or by character, the one played most first, and their mean."""

    by = serializers.ChoiceField(choices=[Facet.MAP.value, Facet.CHARACTER.value])
    system = serializers.CharField()
    mean = serializers.FloatField(help_text="Weighted by games.")
    games = serializers.IntegerField()
    status = serializers.ChoiceField(choices=STATUSES, help_text="Of the mean.")
    ratings = NamedRatingShape(many=True)


class RatingShape(serializers.Serializer[Any]):
    """A player's rating on one ladder, as of now."""

    ladder = serializers.CharField(help_text="Short name of the ladder.")
    system = serializers.CharField()
    rating = serializers.FloatField()
    deviation = serializers.FloatField(
        allow_null=True, help_text="As of now; null where the system has none."
    )
    low = serializers.FloatField(allow_null=True, help_text="Two deviations below.")
    high = serializers.FloatField(allow_null=True, help_text="Two deviations above.")
    status = serializers.ChoiceField(choices=STATUSES, allow_null=True)
    rank = serializers.IntegerField(allow_null=True, help_text="null while not listed.")
    listed = serializers.IntegerField(help_text="Players on the leaderboard.")
    inactive = serializers.BooleanField()
    games = serializers.IntegerField()
    counted_games = serializers.IntegerField(help_text="That count towards established.")
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    win_share = serializers.FloatField(allow_null=True, min_value=0, max_value=1)
    leave_share = serializers.FloatField(allow_null=True, min_value=0, max_value=1)
    performance = serializers.FloatField(
        allow_null=True,
        help_text="At which rating the score of the latest games would have been expected. null where all were won or "
        "lost, with fewer than 10 games, and but for Elo that rates each match at once.",
    )
    performance_games = serializers.IntegerField(help_text="Of how many games, 30 at most.")
    last_played_at = serializers.DateTimeField()
    apart = ApartShape(
        many=True, help_text="By map and by character, where the ladder rates these apart too."
    )


class RatingsShape(serializers.Serializer[Any]):
    """All public ratings of a player, the ladder played last first."""

    results = RatingShape(many=True)


class ChangeShape(serializers.Serializer[Any]):
    """One change of a rating: a row of the ledger."""

    id = serializers.IntegerField()
    ladder = serializers.CharField(help_text="Short name of the ladder.")
    kind = serializers.ChoiceField(choices=ChangeKind.values)
    at = serializers.DateTimeField()
    match = serializers.IntegerField(allow_null=True, help_text="The match that caused it.")
    period = serializers.IntegerField(
        allow_null=True, help_text="The rating period that caused it, counted from 0."
    )
    games = serializers.IntegerField()
    expected = serializers.FloatField(allow_null=True, help_text="Score, summed over the games.")
    actual = serializers.FloatField(allow_null=True)
    weight = serializers.FloatField(allow_null=True, help_text="Points per unit of surprise.")
    rating_before = serializers.FloatField()
    rating_after = serializers.FloatField()
    deviation_before = serializers.FloatField(allow_null=True)
    deviation_after = serializers.FloatField(allow_null=True)
    status_before = serializers.ChoiceField(choices=STATUSES, allow_null=True)


def rating_of(shown: LadderRating) -> Answer:
    """A rating on one ladder."""
    row, performance = shown.rating, shown.performance
    value, deviation = shown.belief.value, shown.belief.deviation
    return {
        "ladder": shown.ladder.slug,
        "system": shown.track.system,
        "rating": value,
        "deviation": deviation,
        # Not rounded, as those of pages are.
        "low": None if deviation is None else value - 2 * deviation,
        "high": None if deviation is None else value + 2 * deviation,
        "status": _word(shown.status),
        "rank": shown.rank,
        "listed": shown.listed,
        "inactive": shown.inactive,
        "games": row.games,
        "counted_games": row.counted,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "win_share": row.wins / row.games if row.games else None,
        "leave_share": row.leaves / row.games if row.games else None,
        "performance": performance.rating if performance else None,
        "performance_games": performance.games if performance else 0,
        "last_played_at": row.last_played_at,
        "apart": [_apart(one) for one in shown.apart],
    }


def _apart(apart: Apart) -> Answer:
    return {
        "by": apart.track.facet,
        "system": apart.track.system,
        "mean": apart.overall.value,
        "games": apart.overall.games,
        "status": _word(apart.status),
        "ratings": [_named(one) for one in apart.ratings],
    }


def _named(one: ApartRating) -> Answer:
    row = one.rating
    return {
        "name": row.facet,
        "rating": one.belief.value,
        "deviation": one.belief.deviation,
        "status": _word(one.belief.status),
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "last_played_at": row.last_played_at,
    }


def change_of(row: RatingChange, ladder: str) -> Answer:
    """A row of the ledger, whose period was read with it."""
    return {
        "id": row.pk,
        "ladder": ladder,
        "kind": row.kind,
        "at": row.at,
        "match": row.match_id,
        "period": row.period.number if row.period else None,
        "games": row.games,
        "expected": row.expected,
        "actual": row.actual,
        "weight": row.weight,
        "rating_before": row.value_before,
        "rating_after": row.value_after,
        "deviation_before": row.deviation_before,
        "deviation_after": row.deviation_after,
        "status_before": _word(row.status_before),
    }


def _word(status: int | None) -> str | None:
    return None if status is None else status_word(status)
