"""Players that a game makes known: by the game's own id, as often as it likes."""

from collections.abc import Iterable
from typing import Any

from django.db import IntegrityError, connection, transaction

from ratings.merging.meant import meant_by
from ratings.models import Game, Player, name_columns
from ratings.sanctions.kept import carry_kept

__all__ = ["add_players", "enrol"]

# By id, so that two that add the same players wait for each other and never in a circle.
_INSERT = """
INSERT INTO ratings_player (game_id, kind, external_id, name, skeleton, search_keys)
SELECT %(game)s, 'person', given.id, given.name, given.skeleton, string_to_array(given.keys, ' ')
FROM unnest(%(ids)s::text[], %(names)s::text[], %(skeletons)s::text[], %(keys)s::text[])
     AS given (id, name, skeleton, keys)
ORDER BY given.id
ON CONFLICT (game_id, external_id) DO NOTHING
RETURNING external_id, id
"""


def add_players(game_id: int, external_ids: Iterable[str]) -> int:
    """Add those of the players that the game does not have yet, each called by its id; return how many."""
    return _add(game_id, [(external_id, external_id) for external_id in external_ids])


def enrol(*, game: Game, external_id: str, name: str = "") -> tuple[Player, bool]:
    """Return the game's player with this id and whether it is new.

    A new player without `name` is called by its id; a name that is given replaces the one before. Both texts have 1
    to 100 characters and no NUL. A name is cleaned, and never refused: not for looking like another either. Where an
    operator has locked the name it stays. For a player who was merged into another it is that one, whose name stays.
    """
    is_new = bool(_add(game.pk, [(external_id, name or external_id)]))
    player = meant_by(
        Player.objects.select_related("game", "user").get(game=game, external_id=external_id)
    )
    is_fixed = player.name_locked or player.named_as is not None
    if name and not is_fixed and player.name != name_columns(name)["name"]:
        # An account keeps the name to itself only where no other account does already.
        player.call(name)
        player.holds_name = True
        saved = ["name", "skeleton", "search_keys", "holds_name"]
        try:
            with transaction.atomic():
                player.save(update_fields=saved)
        except IntegrityError:
            player.holds_name = False
            player.save(update_fields=saved)
        player.refresh_from_db(fields=["looks_alike"])
    return player, is_new


def _add(game_id: int, players: list[tuple[str, str]]) -> int:
    """Add players of these ids and names: the one place where a game's new players are made."""
    columns = [name_columns(name) for _id, name in players]
    given: dict[str, Any] = {
        "game": game_id,
        "ids": [external_id for external_id, _name in players],
        "names": [it["name"] for it in columns],
        "skeletons": [it["skeleton"] for it in columns],
        "keys": [" ".join(it["search_keys"]) for it in columns],
    }
    with transaction.atomic(savepoint=False):  # nobody sees them without their suspensions
        with connection.cursor() as cursor:
            cursor.execute(_INSERT, given)
            added: dict[str, int] = dict(cursor.fetchall())
        if added:
            carry_kept(game_id, added)
    return len(added)
