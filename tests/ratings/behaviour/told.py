"""A ladder of established players whose behaviour in their matches is told."""

from collections.abc import Mapping

import numpy as np

from ratings.behaviour.features import declare
from ratings.models import Behaviour, Match, Participant, Player, Rating, RatingTrack
from tests.ratings.arena import Arena, make_arena, random_history

__all__ = ["tell", "told_arena"]


def told_arena(*, players: int = 60, matches: int = 600) -> tuple[Arena, RatingTrack]:
    """Everybody is established; accuracy tells much of ratings, luck nothing, and presses are easy to fake."""
    arena = make_arena(players, pool_minimum=1000)
    track = arena.track("elo", shown=True)
    arena.play(*random_history(matches, players, days=100, seed=3))
    arena.rate(track)
    declare(arena.game, "accuracy")
    declare(arena.game, "luck")
    declare(arena.game, "apm")
    random = np.random.default_rng(5)
    value = dict(Rating.objects.filter(track=track).values_list("player", "value"))
    spread = float(np.std(list(value.values())))
    Behaviour.objects.bulk_create(
        Behaviour(
            participant=one,
            features={
                "accuracy": (value[one.player_id] - 1500) / spread + random.normal(0, 1.0),
                "luck": random.normal(),
                "apm": value[one.player_id],
            },
        )
        for one in Participant.objects.filter(match__ladder=arena.ladder).order_by("pk")
    )
    return arena, track


def tell(arena: Arena, player: Player, *rows: Mapping[str, float]) -> list[Match]:
    """Matches without result against the first player of the arena, in which the player did this."""
    made = []
    for row in rows:
        match = _match(arena)
        own = Participant.objects.create(match=match, player=player, team=0)
        Participant.objects.create(match=match, player=arena.players[0], team=1)
        Behaviour.objects.create(participant=own, features=dict(row))
        made.append(match)
    return made


def _match(arena: Arena) -> Match:
    number = Match.objects.count()
    at = Match.objects.order_by("-played_at")[0].played_at
    return Match.objects.create(
        ladder=arena.ladder,
        game=arena.game,
        external_id=f"open{number}",
        state="aborted",
        played_at=at,
    )
