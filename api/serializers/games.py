"""Games and ladders."""

from typing import Any

from rest_framework import serializers

from leaderboards.boards.overview import LadderCard
from leaderboards.boards.ranking import Counts, Summary
from ratings.models import Game, Ladder

__all__ = ["GameShape", "LadderDetailShape", "LadderShape", "detail_of", "game_of", "ladder_of"]

Answer = dict[str, Any]


class GameShape(serializers.Serializer[Any]):
    """A game."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    simulated = serializers.BooleanField(help_text="Its players are computer-made.")


class LadderShape(serializers.Serializer[Any]):
    """A ranked ladder: matches that are compared with each other."""

    id = serializers.IntegerField(help_text="As events name it.")
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    game = GameShape()
    team_count = serializers.IntegerField()
    team_size = serializers.IntegerField()
    system = serializers.CharField(allow_null=True, help_text="null while nothing rates it.")
    period_days = serializers.FloatField(
        allow_null=True, help_text="Days of a rating period; null: each match is rated at once."
    )
    players = serializers.IntegerField(help_text="Players with a rating.")
    matches = serializers.IntegerField(help_text="Confirmed matches.")
    updated_at = serializers.DateTimeField(allow_null=True)


class CountsShape(serializers.Serializer[Any]):
    """Players of a ladder: `total` = `listed` + `inactive` + `provisional`."""

    listed = serializers.IntegerField()
    inactive = serializers.IntegerField()
    provisional = serializers.IntegerField()
    total = serializers.IntegerField()


class LadderDetailShape(LadderShape):
    """A ranked ladder with its rules."""

    established_after = serializers.IntegerField(help_text="Counted games until established.")
    inactive_after_days = serializers.FloatField()
    lists_provisional = serializers.BooleanField()
    report_minutes = serializers.IntegerField(help_text="Until one report stands.")
    abandon_minutes = serializers.IntegerField(help_text="Until a match without report ends.")
    counts = CountsShape()
    next_update_at = serializers.DateTimeField(
        allow_null=True, help_text="End of the rating period; null where matches are rated at once."
    )


def game_of(game: Game) -> Answer:
    """A game."""
    return {
        "slug": game.slug,
        "name": game.name,
        "description": game.description,
        "simulated": game.simulated,
    }


def ladder_of(card: LadderCard) -> Answer:
    """A ladder as in a list."""
    ladder, track = card.ladder, card.track
    return {
        "id": ladder.pk,
        "slug": ladder.slug,
        "name": ladder.name,
        "description": ladder.description,
        "game": game_of(ladder.game),
        "team_count": ladder.team_count,
        "team_size": ladder.team_size,
        "system": track.system if track else None,
        "period_days": track.period_days if track else None,
        "players": card.players,
        "matches": card.matches,
        "updated_at": card.updated_at,
    }


def detail_of(card: LadderCard, counts: Counts, summary: Summary) -> Answer:
    """A ladder by itself."""
    ladder: Ladder = card.ladder
    return {
        **ladder_of(card),
        "established_after": ladder.established_after,
        "inactive_after_days": ladder.inactive_after_days,
        "lists_provisional": ladder.lists_provisional,
        "report_minutes": ladder.report_minutes,
        "abandon_minutes": ladder.abandon_minutes,
        "counts": counts_of(counts),
        "next_update_at": summary.next_update,
    }


def counts_of(counts: Counts) -> Answer:
    """How many players there are."""
    return {
        "listed": counts.listed,
        "inactive": counts.inactive,
        "provisional": counts.provisional,
        "total": counts.total,
    }
