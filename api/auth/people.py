"""Players as servers name them: by the id in their game."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from api.auth.callers import Caller
from api.contract.problems import ProblemError
from foundation.postgresql.rows import BuiltOnce
from ratings.merging.meant import meant_by
from ratings.models import Game, Player
from ratings.players.site_ids import DeletedPlayerError, deleted_among

__all__ = [
    "LONGEST_ID",
    "Named",
    "game_served",
    "is_external_id",
    "player_of",
    "players_of",
]

LONGEST_ID = 100
_player = BuiltOnce(
    lambda game, external_id: Player.objects.filter(
        game=game, external_id=external_id
    ).select_related("game", "user"),
    int,
    str,
)


def player_of(caller: Caller, external_id: str) -> Player:
    """The player of the server's game with this id, or into whom it was merged; refuses with `unknown_player`."""
    game = game_served(caller)
    if not is_external_id(external_id):
        raise _unknown(external_id)
    for player in _player(game.pk, external_id):
        return meant_by(player)
    raise _unknown(external_id)


class Named(NamedTuple):
    """Who is meant by an id in the game: `reported_as` is the player with the id, who was merged into `player`."""

    player: int
    reported_as: int | None = None


def players_of(game: Game, external_ids: Sequence[str]) -> dict[str, Named]:
    """Players by the ids in the game, who may have been merged into others. Refuses with `unknown_player`, also
    whoever was deleted.
    """
    for name in deleted_among(game, external_ids):
        raise DeletedPlayerError(name)
    known = Player.objects.filter(game=game, external_id__in=external_ids)
    found = {
        name: Named(pk) if into is None else Named(into, reported_as=pk)
        for name, pk, into in known.values_list("external_id", "pk", "merged_into")
    }
    for name in external_ids:
        if name not in found:
            raise _unknown(name)
    return found


def is_external_id(text: str) -> bool:
    """Whether it can be the id of a player in a game; of a new one, see `ratings.players.new_ids`."""
    return 1 <= len(text) <= LONGEST_ID and "\0" not in text


def game_served(caller: Caller) -> Game:
    """The game of a server; refuses everybody else with `missing_scope`."""
    if caller.server_key is None or caller.server_key.game is None:
        raise ProblemError("missing_scope", _("Only the server key of a game can do this."))
    return caller.server_key.game


def _unknown(external_id: str) -> ProblemError:
    words = _("The game has no player with the id “%(id)s”.")
    return ProblemError("unknown_player", words % {"id": external_id[:LONGEST_ID]})
