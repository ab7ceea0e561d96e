"""What the operator has chosen of a game's groups, as others read it."""

from groups.models import GroupRules

__all__ = ["rules_of"]


def rules_of(game_id: int) -> GroupRules:
    """As chosen, or the defaults; not saved then. One query."""
    return GroupRules.objects.filter(game=game_id).first() or GroupRules(game_id=game_id)
