"""Players' names: changed by themselves a few times a month, reset by moderators. A name that becomes free is held."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from events.live import broadcast
from foundation import clock, timekeeping
from foundation.names import skeleton_of
from foundation.postgresql.transactions import briefly
from moderation.models import NameChange
from moderation.refusals import (
    NameChangesUsedUpError,
    NameHeldError,
    NameLockedError,
    WrongActError,
)
from moderation.told import tell_of_name
from ratings.models import Game, Player
from ratings.players.claim import (
    BadNameError,
    NameTakenError,
    check_living,
    refused_word,
    tidy_name,
)
from ratings.players.site_ids import refuse_deleted
from ratings.sanctions import check_may_write

__all__ = [
    "COUNTED_FOR",
    "changes_left",
    "give_back",
    "refuse_held",
    "rename",
    "reset_name",
]

COUNTED_FOR = timedelta(days=30)


def rename(*, player: Player, name: str) -> Player:
    """Give the player another name, as it wishes. The same name again changes nothing.

    Raises BadNameError, NameTakenError, NameHeldError, NameLockedError and NameChangesUsedUpError.
    """
    tidy = tidy_name(name)
    check_living(tidy)
    with briefly() as now:
        player = _hold(player)
        refuse_deleted(player)
        if player.name == tidy:
            return player
        check_may_write(player.pk)
        if (word := refused_word(player.game, tidy)) is not None:
            raise BadNameError(_("“%(word)s” cannot be part of a name here.") % {"word": word})
        if player.name_locked:
            raise NameLockedError
        left, at = changes_left(player, now)
        if left < 1:
            raise NameChangesUsedUpError(settings.NAME_CHANGES, at)
        refuse_held(player.game, skeleton_of(tidy), player.user)
        _call(player, tidy, now, is_reset=False)
    return player


def reset_name(*, player: Player, by: User, reason: str) -> NameChange:
    """Take an offensive name from a player: it is called by its number then, and neither the player nor the game can
    put it back. Audited; the player reads the reason, and may appeal.
    """
    with briefly() as now:
        player = _hold(player)
        refuse_deleted(player)
        with override(settings.LANGUAGE_CODE):  # it is kept: whoever resets it is not who reads it
            plain = _("Player %(number)d") % {"number": player.pk}
        if player.name == plain:
            raise WrongActError(_("This player has no name that could be reset."))
        before = player.name
        # Somebody may be called so: nobody shall be safe by that.
        player.name_locked, player.holds_name = True, False
        change = _call(player, plain, now, is_reset=True, by=by, reason=reason)
        audit.record(
            actor=by,
            action="player.name_reset",
            target=player,
            before={"name": before},
            after={"name": player.name},
            note=reason,
        )
        tell_of_name(change)
    return change


def give_back(*, change_id: int, by: User, reason: str) -> NameChange:
    """Take a reset back: the player has its name again, where nobody else has it, and may change it.

    Raises WrongActError where the reset was taken back already.
    """
    with briefly() as now:
        change = NameChange.objects.select_for_update().get(pk=change_id)
        player = _hold(change.player)
        if not change.is_reset or change.undone_at is not None:
            raise WrongActError(_("This reset was taken back already."))
        refuse_deleted(player)
        before = player.name
        if player.name == change.given:
            player.call(change.name)
        player.name_locked, player.holds_name = False, True
        _save(player)
        change.undone_at = now
        change.save(update_fields=["undone_at"])
        audit.record(
            actor=by,
            action="player.name_given_back",
            target=player,
            before={"name": before},
            after={"name": player.name},
            note=reason,
        )
        _tell(player)
    return change


def changes_left(player: Player, now: datetime) -> tuple[int, datetime | None]:
    """How often the player may change its name now, and when it may next, where not."""
    most = settings.NAME_CHANGES
    own = NameChange.objects.filter(
        player=player, is_reset=False, at__gt=now - COUNTED_FOR, at__lte=now + timekeeping.AHEAD
    )
    times = list(own.order_by("-at").values_list("at", flat=True)[:most])
    left = most - len(times)
    return left, times[-1] + COUNTED_FOR if times and left < 1 else None


def refuse_held(game: Game, skeleton: str, user: User | None) -> None:
    """Raise NameHeldError where another account's player was called so until lately: nobody passes for it."""
    since = clock.now() - timedelta(days=settings.HOLD_NAMES)
    held = NameChange.objects.filter(game=game, skeleton=skeleton, at__gt=since)
    if user is not None:
        held = held.exclude(Q(player__user=user) & Q(is_reset=False))
    if (found := held.first()) is not None:
        raise NameHeldError(found.name)


def _hold(player: Player) -> Player:
    held = Player.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "game", "user"
    )
    return held.get(pk=player.merged_into_id or player.pk)


def _call(
    player: Player,
    name: str,
    now: datetime,
    *,
    is_reset: bool,
    by: User | None = None,
    reason: str = "",
) -> NameChange:
    before, looked = player.name, player.skeleton
    player.call(name)
    if not is_reset:
        player.holds_name = True
        same = Player.objects.in_use().filter(game=player.game_id, skeleton=player.skeleton)
        if same.exclude(pk=player.pk).exists():
            raise _taken(name)
    _save(player)
    change = NameChange.objects.create(
        player=player,
        game=player.game,
        name=before,
        skeleton=looked,
        given=player.name,
        at=now,
        is_reset=is_reset,
        reset_by=by,
        reason=reason,
    )
    _tell(player)
    return change


def _save(player: Player) -> None:
    try:
        with transaction.atomic():
            columns = ["name", "skeleton", "search_keys", "holds_name", "name_locked"]
            player.save(update_fields=columns)
    except IntegrityError:
        raise _taken(player.name) from None


def _taken(name: str) -> NameTakenError:
    words = _("“%(name)s”, or a name that looks like it, is taken. Choose another.")
    return NameTakenError(words % {"name": name})


def _tell(player: Player) -> None:
    topics = [f"player:{player.pk}", f"game:{player.game_id}"]
    broadcast(topics, Kind.NAME_CHANGED, player=player.pk)
