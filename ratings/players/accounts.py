"""Whose a player is: given to an account, or moved from one to another."""

from collections.abc import Callable, Collection

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from events.live import broadcast
from foundation.names import isolate
from foundation.refusals import RefusedError
from ratings.merging.meant import lent_by
from ratings.merging.running import end_searches
from ratings.models import Player, PlayerKind
from ratings.players.own_matters import MAY_MOVE, check_not_own, met_by
from ratings.players.site_ids import say_deleted

__all__ = [
    "CannotMoveError",
    "check_move",
    "give_to",
    "hold_account",
    "move_player",
    "tell",
    "tell_with",
    "why_not",
]

# Called in the transaction with the accounts whose players have changed.
_tellers: list[Callable[[Collection[User]], object]] = []


class CannotMoveError(RefusedError):
    """The account cannot have this player."""

    code = "cannot_move"


def tell_with(teller: Callable[[Collection[User]], object]) -> None:
    """Let an app above tell accounts that other players are theirs now. Called from an app's `ready()`."""
    _tellers.append(teller)


def tell(accounts: Collection[User]) -> None:
    """Tell these accounts that other players are theirs now, once the transaction has committed."""
    for teller in _tellers:
        teller(accounts)


def hold_account(user: User) -> None:
    """Hold the account's row, before any player's: it is not deleted while it gets a player. Raises CannotMoveError
    where it is closed. Call it in the transaction of the caller.
    """
    held = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True)
    if not held.exists():
        raise CannotMoveError(_("The account %(account)s is closed.") % {"account": user})


def why_not(player: Player, user: User) -> str:
    """Why the account cannot have this player; nothing where it can. Three queries at most."""
    if player.kind != PlayerKind.PERSON:
        return _("Only a person can have an account.")
    if reason := say_deleted(player):
        return reason
    if player.merged_into_id is not None:
        words = _("%(player)s is merged into %(into)s. Move that player.")
        return words % {"player": isolate(player.name), "into": isolate(str(player.merged_into))}
    own = Player.objects.filter(game=player.game_id, user=user).exclude(pk=player.pk).first()
    if own is not None:
        words = _(
            "The account %(account)s plays this game as %(player)s. An account has one player in a game."
        )
        return words % {"account": user, "player": isolate(own.name)}
    if (merge := lent_by(user, player.game_id)) is not None:
        words = _(
            "The player %(player)s of the account %(account)s is merged into %(into)s. Unmerge them first."
        )
        names = {"player": isolate(merge.merged.name), "into": isolate(merge.into.name)}
        return words % {**names, "account": user}
    return ""


def give_to(player: Player, user: User) -> None:
    """Let the account have this player, whose row is held. Raises CannotMoveError.

    The account keeps the name to itself, unless another has one that looks like it.
    """
    if reason := why_not(player, user):
        raise CannotMoveError(reason)
    player.user, player.holds_name = user, True
    saved = ["user", "holds_name"]
    try:
        with transaction.atomic():
            player.save(update_fields=saved)
    except IntegrityError as error:
        if "player_one_per_account_and_game" in str(
            error
        ):  # another was given to it at this moment
            raise CannotMoveError(why_not(player, user)) from error
        if "player_held_name_unique" not in str(error):
            raise
        player.holds_name = False
        player.save(update_fields=saved)


def check_move(by: User | None, player: int, *, to: User | None = None) -> None:
    """Raise OwnMatterError where the player is the operator's own, or to be; or is in an undecided match with one, or
    offered one: moving it ends its search, and takes the match from whoever would report it.
    """
    check_not_own(by, {player, *met_by(player)}, right=MAY_MOVE, to=to)


def move_player(*, player: Player, to: User, by: User | None, note: str) -> Player:
    """Give a player to an account, from whichever has it now. Audited; tokens of the old account end.

    Searches and parties are ended; a match that has begun goes on, and the new account reports it. Raises
    CannotMoveError, and OwnMatterError: an own player that was given away for a moment would be anybody's, nobody
    helps themselves to a player, and nobody takes an opponent out of a match.
    """
    if reason := why_not(player, to):
        raise CannotMoveError(reason)
    check_move(by, player.pk, to=to)
    end_searches(player)
    with transaction.atomic():
        hold_account(to)
        held = Player.objects.select_related("game", "user").select_for_update(of=("self",))
        player = held.get(pk=player.pk)
        check_move(by, player.pk, to=to)  # again: it may be offered a match since
        before = player.user
        if before is not None and before.pk == to.pk:
            raise CannotMoveError(_("The account has this player already. Nothing was changed."))
        give_to(player, to)
        audit.record(
            actor=by,
            action="player.moved",
            target=player,
            before={"user": before.pk if before else None},
            after={"user": to.pk},
            note=note,
        )
        topics = [f"player:{player.pk}", f"searches:{player.game_id}"]
        broadcast(topics, Kind.PLAYER_MOVED, player=player.pk)
        tell([one for one in (before, to) if one is not None])
    return player
