"""Queues."""

from rest_framework import serializers

from api.contract.fields import with_fields
from api.contract.shapes import Answer, Shape
from matchmaking.models import Queue
from matchmaking.pairing.conditions import PREFERENCES
from matchmaking.pairing.settings import STRATEGIES
from matchmaking.queues.settings import settings_of
from matchmaking.queues.wait_estimates import Estimate
from matchmaking.tickets.preferences import looked_at
from ratings.models import Mode

__all__ = ["EstimateShape", "QueueShape", "queue_answer"]


class EstimateShape(Shape):
    """How long searches took lately, in seconds; null where too few are known."""

    median = serializers.FloatField(allow_null=True)
    p90 = serializers.FloatField(allow_null=True, help_text="Nine in ten were shorter.")
    searches = serializers.IntegerField(help_text="How many went in.")


@with_fields(
    {
        name: serializers.ListField(
            child=serializers.CharField(),
            help_text=f"{preference.queue_help} Empty: any words are accepted.",
        )
        for name, preference in PREFERENCES.items()
        if preference.queue_help
    },
    before="looks_at",
)
class QueueShape(Shape):
    """A queue: where players wait for a match of one ladder."""

    id = serializers.IntegerField(help_text="As events name it.")
    slug = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField(help_text="Short name of the game.")
    simulated = serializers.BooleanField(help_text="The game's players are computer-made.")
    ladder = serializers.CharField(help_text="Short name of the ladder.")
    ladder_id = serializers.IntegerField(help_text="Of the ladder, as events name it.")
    mode = serializers.ChoiceField(
        choices=Mode.values, help_text="`normal`: ratings are used to find a match and never shown."
    )
    strategy = serializers.ChoiceField(choices=[*STRATEGIES], help_text="How matches are found.")
    team_count = serializers.IntegerField(help_text="Teams in a match.")
    team_size = serializers.IntegerField(help_text="Players in a team; no party may be larger.")
    roles = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many of each role a team needs."
    )
    maps = serializers.ListField(
        child=serializers.CharField(), help_text="Empty where the game chooses."
    )
    looks_at = serializers.ListField(
        child=serializers.CharField(),
        help_text="Which wishes of a ticket matter here; all others are kept and passed over.",
    )
    is_open = serializers.BooleanField()
    waiting = serializers.IntegerField(help_text="Players searching now.")
    estimate = EstimateShape()
    accept_seconds = serializers.IntegerField(help_text="How long an offer waits for answers.")
    heartbeat_seconds = serializers.IntegerField(
        help_text="A ticket nobody asks about for longer expires."
    )
    idle_seconds = serializers.IntegerField(
        allow_null=True,
        help_text="Players who have done nothing for so long are asked “Still there?”; null: nobody is.",
    )
    still_there_seconds = serializers.IntegerField(help_text="How long that waits for an answer.")
    partner_seconds = serializers.IntegerField(
        allow_null=True,
        help_text="After so long without a match the game is asked for a partner, where one is wanted; null: never.",
    )
    partner_answer_seconds = serializers.IntegerField(
        help_text="How long the game has to supply one."
    )


def queue_answer(queue: Queue, waiting: int, estimate: Estimate) -> Answer:
    """What `QueueShape` shows of a queue, whose ladder and game were read with it."""
    ladder = queue.ladder
    settings = settings_of(queue)
    words = settings.vocabulary
    return {
        "id": queue.pk,
        "slug": queue.slug,
        "name": queue.name,
        "game": ladder.game.slug,
        "simulated": ladder.game.simulated,
        "ladder": ladder.slug,
        "ladder_id": ladder.pk,
        "mode": ladder.mode,
        "strategy": queue.strategy,
        "team_count": ladder.team_count,
        "team_size": ladder.team_size,
        "roles": settings.roles,
        "maps": [game_map.name for game_map in settings.game_maps],
        **{
            name: list(words[name])
            for name, preference in PREFERENCES.items()
            if preference.queue_help
        },
        "looks_at": looked_at(settings),
        "is_open": queue.is_open,
        "waiting": waiting,
        "estimate": estimate,
        "accept_seconds": queue.accept_seconds,
        "heartbeat_seconds": queue.heartbeat_seconds,
        "idle_seconds": queue.idle_seconds,
        "still_there_seconds": queue.still_there_seconds,
        "partner_seconds": queue.partner_seconds,
        "partner_answer_seconds": queue.partner_answer_seconds,
    }
