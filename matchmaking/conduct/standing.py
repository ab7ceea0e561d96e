"""How players stand in conduct now: their points, whether they cool off, and whether they meet like players.

An operator's own score (`Conduct`) and what offences come to (`ConductStanding`) add up.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from foundation import clock
from matchmaking.conduct.refusals import CoolingOffError, NotAvailableError
from matchmaking.conduct.rules import rules_by_game, steps_of
from matchmaking.conduct.steps import Step, faded, step_of

__all__ = [
    "COOLING",
    "Standing",
    "check_not_cooling",
    "cooling_until",
    "latest_cooling",
    "standing_of",
]

_READ = """
SELECT player.id, player.game_id, given.score, given.as_of, standing.score, standing.as_of, standing.cooling_until
FROM ratings_player AS player
LEFT JOIN matchmaking_conduct AS given ON given.player_id = player.id
LEFT JOIN matchmaking_conductstanding AS standing ON standing.player_id = player.id
WHERE player.id = ANY(%(players)s) AND (given.player_id IS NOT NULL OR standing.player_id IS NOT NULL)
"""
# Who cools off now, as a condition on rows of `standing`.
COOLING = "standing.cooling_until > coalesce(%(at)s::timestamptz, now())"


@dataclass(frozen=True, slots=True)
class Standing:
    """How one player stands.

    score          points by now
    cooling_until  until when it may not search; None: it may
    step           what follows from both
    meets_like     whether it is matched among like players first, now or once it has cooled off
    """

    player_id: int
    score: float = 0.0
    cooling_until: datetime | None = None
    step: Step = Step.NONE
    meets_like: bool = False

    @property
    def is_cooling(self) -> bool:
        """Whether the player may not search, accept or join now."""
        return self.cooling_until is not None


def cooling_until(player: int) -> datetime | None:
    """Until when this player may not search, challenge others or join rooms; None: it may."""
    return standing_of([player], clock.now())[player].cooling_until


def latest_cooling(players: Collection[int], now: datetime) -> datetime | None:
    """Until when one of these players cools off at the latest; None: none does. No query for nobody."""
    if not players:
        return None
    found = [one.cooling_until for one in standing_of(players, now).values()]
    return max((until for until in found if until is not None), default=None)


def standing_of(players: Collection[int], now: datetime | None = None) -> dict[int, Standing]:
    """How these players stand, by id; who has a clean record is there, too. Two queries, one where all are clean."""
    found = {pk: Standing(pk) for pk in players}
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"players": list(players)})
        rows: Sequence[tuple[Any, ...]] = cursor.fetchall()
    if not rows:
        return found
    now = now or clock.now()
    rules = rules_by_game({row[1] for row in rows})
    for player, game, given, given_as_of, score, as_of, cooling_until in rows:
        steps = steps_of(rules[game])
        total = sum(
            faded(points, since, now, steps.half_life_days)
            for points, since in ((given, given_as_of), (score, as_of))
            if points
        )
        cooling = cooling_until if cooling_until is not None and cooling_until > now else None
        step = step_of(steps, total, is_cooling=cooling is not None)
        found[player] = Standing(player, total, cooling, step, total >= steps.like_from)
    return found


def check_not_cooling(players: Collection[int], *, own: int, now: datetime | None = None) -> None:
    """Raise CoolingOffError where the `own` player cools off, NotAvailableError where another does."""
    now = now or clock.now()
    standings = standing_of(players, now)
    if own in standings and (until := standings[own].cooling_until) is not None:
        raise CoolingOffError(own, until, now)
    if any(one.is_cooling for one in standings.values()):
        raise NotAvailableError
