"""What the lists of people have in common: whose list, and who is meant."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from api.auth.acting_player import player_for
from api.auth.callers import Caller
from api.contract.problems import ProblemError
from ratings.merging.meant import meant_by
from ratings.models import Player

__all__ = ["TIE_PROBLEMS", "other_of", "whose"]

TIE_PROBLEMS = ("player_not_open", "player_is_yourself", "people_list_full")


def whose(caller: Caller, given: Mapping[str, Any]) -> Player:
    """The player whose list it is."""
    return player_for(caller, given.get("player"))


def other_of(player: Player, player_id: int) -> Player:
    """The other player of the same game, or into whom it was merged; refuses with `unknown_player`."""
    other = Player.objects.filter(pk=player_id, game=player.game_id).first()
    if other is None:
        words = _("The game has no player with the id %(id)s.") % {"id": player_id}
        raise ProblemError("unknown_player", words)
    return meant_by(other)
