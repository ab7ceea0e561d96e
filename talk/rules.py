"""The rules of a game's talk, where it is on."""

from ratings.models import Game, Player
from talk.models import TalkRules
from talk.refusals import TalkOffError

__all__ = ["is_on", "rules_of"]


def rules_of(player: Player) -> TalkRules:
    """Of the player's game. Raises TalkOffError."""
    rules = TalkRules.objects.filter(
        game=player.game_id, game__archived_at=None, is_on=True
    ).first()
    if rules is None:
        slug = Game.objects.values_list("slug", flat=True).get(pk=player.game_id)
        raise TalkOffError(slug)
    return rules


def is_on(game_id: int) -> bool:
    """Whether players of the game may write to each other. One query of a table of a row a game."""
    return TalkRules.objects.filter(game=game_id, game__archived_at=None, is_on=True).exists()
