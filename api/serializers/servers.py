"""Game servers, and what they tell of their matches."""

from collections.abc import Sequence

from rest_framework import serializers

from api.contract.pages import page_shape
from api.contract.problems import CODES
from api.contract.shapes import Shape
from api.serializers.players import PlayerRefShape
from api.serializers.words import MATCH_EVENT_TYPES
from ratings.logs.given import KINDS
from ratings.models import EventKind, GameServer, LogEvent, Player

__all__ = [
    "AcceptedShape",
    "MatchEventsShape",
    "ServerShape",
    "ServersShape",
]

_WORDS = {kind.value: word for word, kind in KINDS.items()}
_TEAM, _MAP = {EventKind.JOIN, EventKind.ROUND}, {EventKind.BEGIN}


class ServerShape(Shape):
    """A game server that tells events."""

    slug = serializers.CharField(help_text="Its short name, as addresses have it.")
    name = serializers.CharField()
    game = serializers.CharField(source="game.slug", help_text="Short name of the game.")
    ladder = serializers.CharField(
        source="ladder.slug", help_text="Short name of the ladder on which its matches count."
    )
    playing = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of its matches that go on, newest first."
    )
    last_event_at = serializers.DateTimeField(
        allow_null=True, help_text="When its last event came; null: none has."
    )
    created_at = serializers.DateTimeField()

    def get_playing(self, server: GameServer) -> Sequence[int]:
        playing: dict[int, list[int]] = self.context["playing"]
        return playing.get(server.pk, [])


ServersShape = page_shape("ServersShape", ServerShape)


class RefusedEventShape(Shape):
    """An event that was not stored, and why."""

    index = serializers.IntegerField(help_text="Its place in the list that was sent, from 0.")
    number = serializers.IntegerField(allow_null=True, help_text="null: it could not be read.")
    match = serializers.CharField(allow_null=True, help_text="null: it could not be read.")
    code = serializers.ChoiceField(choices=CODES)
    detail = serializers.CharField(help_text="The same in words.")
    field = serializers.CharField(
        allow_null=True, help_text="What of it is wrong; null where that is no single member."
    )


class LogPositionShape(Shape):
    """How far the events of a match are here."""

    id = serializers.IntegerField(help_text="Id of the match.")
    complete_to = serializers.IntegerField(help_text="Up to this number no event is missing.")
    missing = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(),
            min_length=2,
            max_length=2,
            help_text="First and last.",
        ),
        help_text="Numbers that are waited for, the first 100 stretches of them. Send them again.",
    )
    over = serializers.BooleanField(help_text="Whether the match is over.")


class AcceptedShape(Shape):
    """What became of events."""

    stored = serializers.IntegerField(help_text="How many are new.")
    known = serializers.IntegerField(help_text="How many were here already, the same.")
    refused = RefusedEventShape(many=True)
    matches = serializers.DictField(
        child=LogPositionShape(), help_text="The matches named, by the server's names for them."
    )


class MatchEventShape(Shape):
    """An event of a match as it was told."""

    number = serializers.IntegerField()
    type = serializers.ChoiceField(choices=MATCH_EVENT_TYPES)
    at = serializers.DateTimeField()
    player = PlayerRefShape(allow_null=True, help_text="Who did it; null for nobody, or a guest.")
    victim = PlayerRefShape(allow_null=True, help_text="To whom it was done; likewise.")
    guest = serializers.CharField(
        allow_blank=True, help_text="Name of a guest who did it. As the server has sent it."
    )
    victim_guest = serializers.CharField(allow_blank=True, source="guest_victim")
    weapon = serializers.CharField(allow_blank=True)
    team = serializers.CharField(
        allow_blank=True, help_text="Of who joins, empty for none; or who has won the round."
    )
    map = serializers.CharField(allow_blank=True)
    weight = serializers.FloatField(
        allow_null=True, help_text="How many frags it is worth; null: as its type is."
    )
    counts = serializers.SerializerMethodField(help_text="Whether it is rated: not with guests.")

    def get_type(self, event: LogEvent) -> str:
        return _WORDS[event.kind]

    def get_counts(self, event: LogEvent) -> bool:
        """Who is suspended from results is not told to everybody."""
        return not (event.guest or event.guest_victim)

    def get_player(self, event: LogEvent) -> Player | None:
        return self._meant(event.player)

    def get_victim(self, event: LogEvent) -> Player | None:
        return self._meant(event.victim)

    def get_weapon(self, event: LogEvent) -> str:
        return "" if event.kind in _TEAM | _MAP else event.detail

    def get_team(self, event: LogEvent) -> str:
        return event.detail if event.kind in _TEAM else ""

    def get_map(self, event: LogEvent) -> str:
        return event.detail if event.kind in _MAP else ""

    def _meant(self, player: Player | None) -> Player | None:
        """The player for whom it counts: the one into whom it was merged, from the moment on from which that is so."""
        if player is None or player.merged_into is None:
            return player
        since, played_at = player.merged_since, self.context["played_at"]
        return player.merged_into if since is None or since <= played_at else player


class LogGapShape(Shape):
    """Events that never came, and are waited for no more."""

    first = serializers.IntegerField()
    last = serializers.IntegerField()
    given_up_at = serializers.DateTimeField()


class MatchEventsShape(Shape):
    """Events of a match, in the order of their numbers."""

    match = serializers.IntegerField(help_text="Id of the match.")
    complete_to = serializers.IntegerField(
        help_text="Number of the last event that is here without one missing before it. Further ones are not shown yet."
    )
    over = serializers.BooleanField(help_text="Whether the match is over: nothing comes any more.")
    results = MatchEventShape(many=True)
    gaps = LogGapShape(many=True, help_text="Within, or right behind, the numbers of this page.")
    next = serializers.URLField(allow_null=True, help_text="null on the last page.")
