"""Players of accounts: made on the site, under names that nobody can mistake for another's."""

import unicodedata
from collections.abc import Callable
from http import HTTPStatus

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from foundation.archiving import in_use
from foundation.names import clean_name, isolate, mixed_word, skeleton_of
from foundation.refusals import RefusedError
from ratings.merging.meant import lent_by, say_lent
from ratings.models import Game, Player, name_columns
from ratings.players.accounts import hold_account
from ratings.players.site_ids import RESERVED, looks_deleted, save_with_free_id

__all__ = [
    "LONGEST_NAME",
    "BadNameError",
    "HasPlayerError",
    "NameTakenError",
    "check_living",
    "colliding",
    "hold_with",
    "make_player",
    "refused_word",
    "suggest_name",
    "tidy_name",
    "with_refused_words",
]

SHORTEST_NAME, LONGEST_NAME = 2, 40
_TRIES = 20
# Whom only an import made that was taken back stands in nobody's way.
_KNOWN = in_use("")
# Each raises a RefusedError where a name, by what it looks like, is held for somebody else than the account.
_holders: list[Callable[[Game, str, User | None], object]] = []


class BadNameError(RefusedError):
    """A name that cannot be shown, or not in a table."""

    code = "bad_name"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


class NameTakenError(RefusedError):
    """Another account of the game has a name that looks like this one."""

    code = "name_taken"


class HasPlayerError(RefusedError):
    """An account has one player in a game. Extra: player, its id."""

    code = "has_player"


def hold_with(holder: Callable[[Game, str, User | None], object]) -> None:
    """Let an app above hold names that have become free. Called from an app's `ready()`."""
    _holders.append(holder)


def make_player(*, game: Game, user: User, name: str) -> Player:
    """Give the account a player in the game, under a name that looks like nobody else's in the game: neither like an
    account's, nor like that of a player whom the game has brought and nobody has claimed.

    Raises BadNameError, NameTakenError, HasPlayerError when the account plays there already, and CannotMoveError when
    it is closed, as by being deleted at this moment.
    """
    tidy = tidy_name(name)
    check_living(tidy)
    if (word := refused_word(game, tidy)) is not None:
        raise BadNameError(_("“%(word)s” cannot be part of a name here.") % {"word": word})
    player = Player(game=game, user=user, **name_columns(tidy))
    if (merge := lent_by(user, game.pk)) is not None:
        raise HasPlayerError(say_lent(merge), player=merge.into_id)
    known = Player.objects.filter(_KNOWN, game=game, skeleton=player.skeleton)
    if known.exclude(user=user).exists():
        raise _refusal(player)
    for holder in _holders:
        holder(game, player.skeleton, user)

    def save(external_id: str) -> None:
        player.external_id = external_id
        player.save(force_insert=True)

    try:
        with transaction.atomic():
            hold_account(user)
            save_with_free_id(f"{RESERVED}{user.pk}", save)
    except IntegrityError:
        raise _refusal(player) from None
    return player


def tidy_name(name: str) -> str:
    """Return the name as it is kept: composed, single spaces. Raises BadNameError for one that cannot be shown."""
    tidy = unicodedata.normalize("NFC", " ".join(name.split()))
    if not SHORTEST_NAME <= len(tidy) <= LONGEST_NAME:
        raise BadNameError(
            _("A name has %(shortest)s to %(longest)s characters; “%(name)s” has %(length)s.")
            % {
                "shortest": SHORTEST_NAME,
                "longest": LONGEST_NAME,
                "name": tidy[:LONGEST_NAME],
                "length": len(tidy),
            }
        )
    if not any(unicodedata.category(sign)[0] in "LN" for sign in tidy):
        raise BadNameError(_("A name needs at least one letter or digit."))
    if clean_name(tidy) != tidy or any(unicodedata.category(sign)[0] == "C" for sign in tidy):
        raise BadNameError(
            _("This name has characters that cannot be seen. Use letters, digits and signs.")
        )
    if mixed := mixed_word(tidy):
        raise BadNameError(
            _("“%(word)s” mixes letters of several alphabets. Write each word in one.")
            % {"word": mixed}
        )
    return tidy


def check_living(name: str) -> None:
    """Raise BadNameError where a name is what deleted players are called, or looks like it."""
    if looks_deleted(name):
        words = _("“%(name)s” looks like the name of a deleted player. Choose another.")
        raise BadNameError(words % {"name": name})


def refused_word(game: Game, name: str) -> str | None:
    """The first of the game's refused words that the name holds, whatever it is written with; None without one."""
    looks = skeleton_of(name)
    words = (word.strip() for word in game.refused_words.splitlines())
    return next((word for word in words if word and skeleton_of(word) in looks), None)


def with_refused_words(players: QuerySet[Player]) -> QuerySet[Player]:
    """Those of the players whose names hold a word that their game refuses."""
    wanted = Q(pk__in=[])
    for game in Game.objects.exclude(refused_words=""):
        for word in filter(None, map(str.strip, game.refused_words.splitlines())):
            wanted |= Q(game=game, skeleton__contains=skeleton_of(word))
    return players.filter(wanted)


def suggest_name(*, game: Game, user: User) -> str:
    """Return a name that is free in the game: the account's, with a number where that is taken; else nothing."""
    plain = clean_name(user.get_username().split("@")[0])[: LONGEST_NAME - 3].strip()
    if mixed_word(plain):
        return ""
    names = [plain, *(f"{plain} {number}" for number in range(2, _TRIES))]
    skeletons = {skeleton_of(name): name for name in reversed(names)}
    taken = Player.objects.filter(_KNOWN, game=game, skeleton__in=skeletons)
    used = set(taken.values_list("skeleton", flat=True))
    free = (name for name in names if skeleton_of(name) not in used and not looks_deleted(name))
    return next((name for name in free if refused_word(game, name) is None), "")


def colliding(players: QuerySet[Player]) -> QuerySet[Player]:
    """Those of the players whose account shares a name, or one that looks like it, with another account of the game.

    It comes of names that games bring, and of tables of look-alikes that have grown: an operator renames one of them.
    """
    claimed = Player.objects.filter(user__isnull=False, looks_alike=True)
    same = claimed.filter(game=OuterRef("game"), skeleton=OuterRef("skeleton"))
    return players.filter(
        Exists(same.exclude(pk=OuterRef("pk"))), user__isnull=False, looks_alike=True
    )


def _refusal(player: Player) -> RefusedError:
    """Say which rule of the database the new player broke."""
    own = Player.objects.filter(game=player.game_id, user=player.user_id).first()
    if own is not None:
        return HasPlayerError(
            _("You already play this game as %(name)s.") % {"name": isolate(own.name)},
            player=own.pk,
        )
    same = Player.objects.filter(_KNOWN, game=player.game_id, skeleton=player.skeleton)
    unclaimed = same.order_by("pk").first()
    if unclaimed is None or same.filter(user__isnull=False).exists():
        return NameTakenError(
            _("“%(name)s”, or a name that looks like it, is taken. Choose another.")
            % {"name": player.name}
        )
    return NameTakenError(
        _(
            "“%(name)s” has already played this game, without an account. If that is you,"
            " ask an admin to give player %(number)s to your account. If not, choose "
            "another name."
        )
        % {"name": isolate(unclaimed.name), "number": unclaimed.pk}
    )
