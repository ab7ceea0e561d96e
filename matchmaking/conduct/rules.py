"""The rules of conduct that hold in a game."""

from collections.abc import Collection
from datetime import UTC, datetime

from matchmaking.conduct.steps import Steps
from matchmaking.models import ConductRules, OffenceKind

__all__ = ["points_for", "rules_by_game", "rules_of", "steps_of"]


def rules_of(game_id: int) -> ConductRules:
    """The rules of a game; the defaults where none were written down."""
    return rules_by_game([game_id])[game_id]


def rules_by_game(game_ids: Collection[int]) -> dict[int, ConductRules]:
    """The rules of these games, by id. One query."""
    found = ConductRules.objects.in_bulk(set(game_ids))
    return {pk: found.get(pk) or _default(pk) for pk in game_ids}


def _default(game_id: int) -> ConductRules:
    """The rules of a game that has written none down: they have held since it is there."""
    return ConductRules(game_id=game_id, since=datetime.min.replace(tzinfo=UTC))


def points_for(rules: ConductRules, kind: OffenceKind) -> float:
    """What an offence counts by the rules."""
    points: float = getattr(rules, kind.value)
    return points


def steps_of(rules: ConductRules) -> Steps:
    """The part of the rules that says what follows from points."""
    return Steps(
        half_life_days=rules.half_life_days,
        note_from=rules.note_from,
        cool_from=rules.cool_from,
        cool_after=rules.cool_after,
        cool_minutes=rules.cool_minutes,
        cool_at_most_minutes=rules.cool_at_most_minutes,
        like_from=rules.like_from,
    )
