"""Players that a game makes known: by the game's own id, as often as it likes."""

from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from ratings.claiming import NameTakenError
from ratings.models import Game, Player, PlayerKind
from ratings.naming import skeleton_of

__all__ = ["enrol"]

_INSERT = """
INSERT INTO ratings_player (game_id, kind, external_id, name, skeleton) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (game_id, external_id) DO NOTHING RETURNING id
"""


def enrol(*, game: Game, external_id: str, name: str = "") -> tuple[Player, bool]:
    """Return the game's player with this id and whether it is new.

    A new player without `name` is called by its id; a name that is given replaces the one before. Both texts have 1
    to 100 characters and no NUL. Raises NameTakenError: names of players with an account are unique.
    """
    called = name or external_id
    given: list[Any] = [game.pk, PlayerKind.PERSON, external_id, called, skeleton_of(called)]
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, given)
        is_new = cursor.fetchone() is not None
    player = Player.objects.select_related("game", "user").get(game=game, external_id=external_id)
    if name and player.name != name:
        _rename(player, name)
    return player, is_new


def _rename(player: Player, name: str) -> None:
    player.name, player.skeleton = name, skeleton_of(name)
    try:
        with transaction.atomic():
            player.save(update_fields=["name", "skeleton"])
    except IntegrityError:
        words = _("Another player of this game is called “%(name)s” or alike.")
        raise NameTakenError(words % {"name": name}) from None
