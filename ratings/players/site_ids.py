"""Ids in the game that the site gives itself, to players of accounts whom no game has brought.

They have a prefix of their own, so that no game's id means an account's player by chance.
"""

import re
from collections.abc import Callable, Collection
from http import HTTPStatus
from itertools import count

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from foundation.refusals import RefusedError
from ratings.models import Game, Player, name_columns

__all__ = [
    "RESERVED",
    "ReservedIdError",
    "check_served",
    "save_with_free_id",
    "say_reserved",
    "unknown_reserved",
]

RESERVED = "evenmatch:"
# What the site gave before it had a prefix. Games may have brought such ids too, so it must be that of the account.
_EARLIER = re.compile(r"account-([0-9]+)")


class ReservedIdError(RefusedError):
    """A game's server treats as its own an id that the site gives."""

    code = "reserved_id"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


def save_with_free_id(
    wanted: str,
    save: Callable[[str], object],
    *,
    unique: str = "player_external_id_unique_in_game",
) -> None:
    """Save with the id, or with a number behind it where another player of the game has that one.

    `unique`: the rule of the database by which another has it.
    """
    for number in count(1):
        try:
            with transaction.atomic():
                save(wanted if number == 1 else f"{wanted}-{number}")
        except IntegrityError as error:
            if unique not in str(error):
                raise
        else:
            return


def check_served(game: Game, external_id: str, *, name: str = "", for_token: bool = False) -> None:
    """Raise ReservedIdError where a server would make a player known under an id of the site's, or rename or get a
    token for a player who has one from the site. Reads only where the id looks like one.
    """
    earlier = _EARLIER.fullmatch(external_id)
    if earlier is None and not external_id.startswith(RESERVED):
        return
    players = Player.objects.select_related("merged_into")
    player = players.filter(game=game, external_id=external_id).first()
    if player is None:
        if earlier is None:
            raise ReservedIdError(say_reserved(external_id))
        return
    meant = player.merged_into or player
    if earlier is not None and earlier[1] != str(meant.user_id):
        return
    if for_token:
        words = _(
            "“%(id)s” is the id of an account's player, given by this site. The account makes its tokens itself, under "
            "“Tokens”."
        )
        raise ReservedIdError(words % {"id": external_id})
    # Of one who was merged the name stays anyway.
    if name and meant.pk == player.pk and name_columns(name)["name"] != player.name:
        words = _(
            "“%(id)s” is the id of an account's player, given by this site, and the name is the account's own. Leave "
            "“name” out."
        )
        raise ReservedIdError(words % {"id": external_id})


def unknown_reserved(game: Game, external_ids: Collection[str]) -> set[str]:
    """Those of the ids that only the site gives, and has given to nobody in the game. No query where none is such."""
    reserved = {name for name in external_ids if name.startswith(RESERVED)}
    if not reserved:
        return set()
    known = Player.objects.filter(game=game, external_id__in=reserved)
    return reserved - set(known.values_list("external_id", flat=True))


def say_reserved(external_id: str) -> str:
    """Why no server makes a player known under an id of the site's."""
    words = _(
        "“%(id)s” cannot be the id of a player whom a game brings: ids that begin with “%(prefix)s” are given by this "
        "site, to players of its accounts. Send another id."
    )
    return words % {"id": external_id, "prefix": RESERVED}
