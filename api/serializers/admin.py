"""Games, ladders, tracks, queues and keys as whoever sets them up sees them."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from api.auth.scopes import SERVER_SCOPE_NAMES
from api.contract.column_fields import fields_of
from api.contract.fields import with_fields
from api.contract.shapes import Shape
from api.models import ServerKey
from foundation.archiving import Archivable
from matchmaking.models import Queue
from matchmaking.queues.add import COLUMNS
from matchmaking.queues.rescale import misfits
from ratings.ladders.games import GAME_COLUMNS
from ratings.ladders.ladders import FIXED_COLUMNS, FREE_COLUMNS
from ratings.models import Facet, Game, Ladder, RatingTrack, TrackState
from ratings.models.tracks import BoardBy
from ratings.systems import names
from ratings.tracks.parameters import LADDER_RULES, current_version, warnings_of

__all__ = ["GameSetupShape", "KeyShape", "LadderSetupShape", "QueueSetupShape", "TrackSetupShape"]


def _first(*things: Archivable) -> datetime | None:
    """When the first of these that is archived was: the thing itself, or what it belongs to."""
    return next((thing.archived_at for thing in things if thing.archived_at is not None), None)


@with_fields(fields_of(Game, GAME_COLUMNS, required=True), before="simulated")
class GameSetupShape(Shape):
    """A game, with what operators choose for it."""

    id = serializers.IntegerField(source="pk")
    slug = serializers.CharField()
    simulated = serializers.BooleanField(help_text="Its players are computer-made.")
    created_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True, help_text="null: in use.")


@with_fields(
    fields_of(Ladder, (*FREE_COLUMNS, *FIXED_COLUMNS, *LADDER_RULES), required=True),
    before="created_at",
)
class LadderSetupShape(Shape):
    """A ladder, with its rules."""

    id = serializers.IntegerField(source="pk")
    slug = serializers.CharField()
    game = serializers.CharField(source="game.slug", help_text="Short name of the game.")
    created_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(
        allow_null=True, help_text="Or what it belongs to was; null: in use."
    )

    def get_archived_at(self, ladder: Ladder) -> datetime | None:
        return _first(ladder, ladder.game)


class TrackSetupShape(Shape):
    """A track: how a ladder's matches are rated."""

    id = serializers.IntegerField(source="pk")
    ladder = serializers.CharField(source="ladder.slug", help_text="Short name of the ladder.")
    system = serializers.ChoiceField(choices=names())
    apart = serializers.ChoiceField(
        source="facet", choices=Facet.values, help_text="What is rated apart; empty for nothing."
    )
    period_days = serializers.FloatField(
        allow_null=True,
        help_text="Days of a rating period; null: each match is rated at once.",
    )
    ordered_by = serializers.ChoiceField(
        choices=BoardBy.values, source="board_by", help_text="What its leaderboard is ordered by."
    )
    shown = serializers.BooleanField(help_text="Players see it; the others run in the shadow.")
    state = serializers.ChoiceField(choices=TrackState.values)
    version = serializers.IntegerField(help_text="Of the parameters: grows with each change.")
    parameters = serializers.DictField(
        child=serializers.JSONField(),
        help_text="In force from now on, with the ladder's rules that enter.",
    )
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="What of the ladder's queues cannot work by it."
    )
    archived_at = serializers.DateTimeField(
        allow_null=True, help_text="Or what it belongs to was; null: in use."
    )

    def to_representation(self, instance: RatingTrack) -> dict[str, Any]:
        self._version = current_version(instance)
        return super().to_representation(instance)

    def get_version(self, _track: RatingTrack) -> int:
        return self._version.number

    def get_parameters(self, _track: RatingTrack) -> dict[str, Any]:
        found: dict[str, Any] = self._version.parameters
        return found

    def get_warnings(self, track: RatingTrack) -> list[str]:
        return warnings_of(track)

    def get_archived_at(self, track: RatingTrack) -> datetime | None:
        return _first(track, track.ladder, track.ladder.game)


@with_fields(fields_of(Queue, COLUMNS, required=True), before="settings")
class QueueSetupShape(Shape):
    """A queue, with its settings. `misfits` of the context: those of all queues of a page, by id."""

    id = serializers.IntegerField(source="pk")
    slug = serializers.CharField()
    game = serializers.CharField(source="ladder.game.slug", help_text="Short name of the game.")
    ladder = serializers.CharField(source="ladder.slug", help_text="Short name of the ladder.")
    settings = serializers.DictField(
        child=serializers.DictField(child=serializers.JSONField()),
        help_text="What differs from the defaults, by section and name.",
    )
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="What of it cannot work on its ladder."
    )
    archived_at = serializers.DateTimeField(
        allow_null=True, help_text="Or what it belongs to was; null: in use."
    )

    def get_warnings(self, queue: Queue) -> list[str]:
        known: dict[int, list[str]] | None = self.context.get("misfits")
        return misfits(queue) if known is None else known[queue.pk]

    def get_archived_at(self, queue: Queue) -> datetime | None:
        return _first(queue, queue.ladder, queue.ladder.game)


class KeyShape(Shape):
    """A server key; its secret is kept nowhere."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    game = serializers.CharField(source="game.slug", help_text="Short name of the game.")
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=SERVER_SCOPE_NAMES))
    begins_with = serializers.CharField(help_text="By which its holder knows it.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True, help_text="null: never.")
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")
    issued_by = serializers.IntegerField(
        source="issued_by_id",
        allow_null=True,
        help_text="Id of the key that made it, with which it ends; null: a person did.",
    )

    def get_begins_with(self, key: ServerKey) -> str:
        return f"em_srv_{key.prefix}_"
