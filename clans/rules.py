"""What the operator has chosen of a game's clans, as others read it."""

from clans.models import ClanRules

__all__ = ["rules_of"]


def rules_of(game_id: int) -> ClanRules:
    """As chosen, or the defaults; not saved then. One query."""
    return ClanRules.objects.filter(game=game_id).first() or ClanRules(game_id=game_id)
