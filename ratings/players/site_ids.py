"""Ids in the game that the site gives itself, to players of accounts whom no game has brought.

They have a prefix of their own, so that no game's id means an account's player by chance.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from functools import cache
from http import HTTPStatus
from itertools import count

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from foundation.names import DELETED_PLAYER, clean_name, isolate, skeleton_of
from foundation.refusals import RefusedError
from ratings.models import Game, Player, name_columns

__all__ = [
    "RESERVED",
    "DeletedPlayerError",
    "ReservedIdError",
    "check_served",
    "deleted_among",
    "is_deleted",
    "looks_deleted",
    "name_of_deleted",
    "refuse_deleted",
    "save_with_free_id",
    "say_deleted",
    "say_reserved",
    "unknown_reserved",
]

RESERVED = "evenmatch:"
# What the site gave before it had a prefix. Games may have brought such ids too: those whose players have an account
# cannot be told apart, and count as the site's.
_EARLIER = re.compile(r"account-[0-9]+")
# Of deleted players: the number of the player, and another where that id was taken.
_DELETED = re.compile(r"deleted-([0-9]+)(?:-[0-9]+)?")

# As skeletons without signs: there 1 is l, 0 is o, and № is no. Digits of every script.
_LOOKS_NUMBER = re.compile(r"(?:no|nr)?[\dlo]+")


class ReservedIdError(RefusedError):
    """A game's server treats as its own an id that the site gives."""

    code = "reserved_id"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


class DeletedPlayerError(RefusedError):
    """Somebody was deleted, and plays no more."""

    code = "unknown_player"
    status = HTTPStatus.NOT_FOUND

    def __init__(self, external_id: str) -> None:
        words = _("“%(id)s” is a player who was deleted, and plays no more.")
        super().__init__(words % {"id": external_id})


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


def name_of_deleted(player_id: int) -> str:
    """What a player is called who was deleted."""
    return f"{DELETED_PLAYER}{player_id}"


def looks_deleted(name: str) -> bool:
    """Whether a name is what deleted players are called in any language of the site, or looks like it."""
    if not any(sign.isdigit() for sign in name):
        return False
    return _is_numbered(name, _words_of_deleted())


def _is_numbered(text: str, beginnings: Iterable[str]) -> bool:
    """Whether it looks like one of these beginnings (see `_bare`) with a number behind."""
    looks = _bare(text)
    return any(
        looks.startswith(words) and _LOOKS_NUMBER.fullmatch(looks, len(words)) is not None
        for words in beginnings
    )


def _bare(text: str) -> str:
    """The skeleton of letters and digits alone: no sign between or around them makes it look like another."""
    return "".join(filter(str.isalnum, skeleton_of(text)))


@cache
def _words_of_deleted() -> frozenset[str]:
    """What stands before the number, as skeletons: pages show it in the reader's language."""
    words = {DELETED_PLAYER}
    for language, _name in settings.LANGUAGES:
        with override(language):
            words.add(_("Deleted player %(number)s").partition("%(number)s")[0])
    return frozenset(map(_bare, words))


def is_deleted(player: Player) -> bool:
    """Whether the player was deleted. Games give names, too, but lock none, and bring no such id."""
    numbered = _DELETED.fullmatch(player.external_id)
    return (
        numbered is not None
        and numbered[1] == str(player.pk)
        and player.name_locked
        and player.user_id is None
        and player.name == name_of_deleted(player.pk)
    )


def refuse_deleted(*players: Player) -> None:
    """Raise DeletedPlayerError where one of these was deleted."""
    for player in players:
        if is_deleted(player):
            raise DeletedPlayerError(player.external_id)


def say_deleted(*players: Player) -> str:
    """Why operators do nothing to the first of these who was deleted; nothing where none was. No query."""
    for player in players:
        if is_deleted(player):
            words = _(
                "%(player)s was deleted for good: it gets no account, name or id, and is neither merged nor sanctioned."
            )
            return words % {"player": isolate(player.name)}
    return ""


def deleted_among(game: Game | None, external_ids: Collection[str]) -> set[str]:
    """Those of the ids whose players were deleted. No query where none looks like one."""
    alike = [name for name in external_ids if _DELETED.fullmatch(name)]
    if not alike:
        return set()
    players = Player.objects.filter(game=game, external_id__in=alike)
    return {player.external_id for player in players if is_deleted(player)}


def check_served(game: Game, external_id: str, *, name: str = "", for_token: bool = False) -> None:
    """Raise ReservedIdError where a server would make a player known under an id of the site's, or rename or get a
    token for a player who has one from the site, whichever id it uses; DeletedPlayerError for a token of a deleted one.
    """
    is_reserved = _looks_reserved(external_id)
    if not (for_token or is_reserved or _EARLIER.fullmatch(external_id)):
        return
    players = Player.objects.select_related("merged_into")
    player = players.filter(game=game, external_id=external_id).first()
    if player is None:
        if is_reserved:
            raise ReservedIdError(say_reserved(external_id))
        return
    meant = player.merged_into or player
    if for_token:
        refuse_deleted(player, meant)
        if _has_id_of_site(player, meant) or _has_id_of_site(meant, meant):
            words = _(
                "“%(id)s” is the id of an account's player, given by this site. The account makes its tokens itself, "
                "under “Tokens”."
            )
            raise ReservedIdError(words % {"id": external_id})
    # Of one who was merged the name stays anyway.
    elif (
        name
        and meant.pk == player.pk
        and _has_id_of_site(player, player)
        and name_columns(name)["name"] != player.name
    ):
        words = _(
            "“%(id)s” is the id of an account's player, given by this site, and the name is the account's own. Leave "
            "“name” out."
        )
        raise ReservedIdError(words % {"id": external_id})


def _has_id_of_site(player: Player, meant: Player) -> bool:
    """Whether the site has given the player's id, or may have: accounts and players are moved, and ids stay."""
    if player.external_id.startswith(RESERVED):
        return True
    return meant.user_id is not None and _EARLIER.fullmatch(player.external_id) is not None


def _looks_reserved(external_id: str) -> bool:
    """Whether no game brings such an id: one of the site's, or what a person would take for one."""
    seen = "".join(unicodedata.normalize("NFKC", clean_name(external_id)).casefold().split())
    if seen.startswith(RESERVED) or _DELETED.fullmatch(seen):
        return True
    first = next(filter(str.isalnum, seen), "")
    if external_id.isascii() and first not in _first_letters():  # most, and quickly
        return False
    if skeleton_of(external_id).startswith(skeleton_of(RESERVED)):
        return True
    if looks_deleted(external_id):  # whose name is the id
        return True
    has_digit = any(sign.isdigit() for sign in seen)  # a game's "deleted-lol" is none
    return has_digit and _is_numbered(external_id, ["deleted"])


@cache
def _first_letters() -> frozenset[str]:
    return frozenset(words[0] for words in (RESERVED, *_words_of_deleted()))


def unknown_reserved(game: Game | None, external_ids: Collection[str]) -> set[str]:
    """Those of the ids that only the site gives, and has given to nobody in the game (None: one that is
    to be made). No query where none is such.
    """
    reserved = {name for name in external_ids if _looks_reserved(name)}
    if not reserved:
        return set()
    known = Player.objects.filter(game=game, external_id__in=reserved)
    return reserved - set(known.values_list("external_id", flat=True))


def say_reserved(external_id: str, *, in_file: bool = False) -> str:
    """Why nobody becomes known under an id of the site's, and what a server, or who imports a file, does about it."""
    words = _(
        "“%(id)s” cannot be the id of a player whom a game brings: ids that begin with “%(prefix)s” are given by this "
        "site, to players of its accounts."
    )
    if not external_id.startswith(RESERVED):
        words = _(
            "“%(id)s” is, or looks like, an id that this site gives to accounts' players or to deleted ones."
        )
    advice = _("Use another id in the file.") if in_file else _("Send another id.")
    return f"{words % {'id': external_id, 'prefix': RESERVED}} {advice}"
