"""Imposing and lifting sanctions. Each is audited, told to the player's streams, and followed by what it concerns."""

from collections.abc import Callable, Collection
from datetime import datetime

from django.contrib.postgres.functions import TransactionNow
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from events.kinds import Kind
from events.live import broadcast
from foundation import clock
from foundation.postgresql.transactions import after_commit, briefly
from foundation.refusals import RefusedError
from ratings.models import Player, Sanction, SanctionKind, SuspendedFrom
from ratings.players.own_matters import MAY_IMPOSE, check_not_own, met_by
from ratings.players.site_ids import say_deleted
from ratings.sanctions.in_force import in_force

__all__ = [
    "WrongSanctionError",
    "carry_over",
    "check_impose",
    "check_lift",
    "end_carried",
    "follow_with",
    "impose",
    "impose_kept",
    "lift",
]

_MAY_LIFT = "ratings.change_sanction"
# Called after the commit with the sanction that was imposed or lifted. What is not followed then, because the process
# ended, the next sweep and the next refresh of boards find in the rows.
_followers: list[Callable[[Sanction], object]] = []


class WrongSanctionError(RefusedError):
    """The sanction says something that cannot be, or is over already."""

    code = "wrong_sanction"


def follow_with(follower: Callable[[Sanction], object]) -> None:
    """Let apps above do what a sanction means for searches, parties and boards, at once."""
    _followers.append(follower)


def check_impose(by: User | None, player: int) -> None:
    """Raise OwnMatterError where the operator's own player is in an undecided match with this one, or to be: whoever is
    suspended reports nothing.
    """
    check_not_own(by, met_by(player), right=MAY_IMPOSE)


def check_lift(by: User | None, player: int) -> None:
    """The same, and where this is the operator's own player."""
    check_not_own(by, {player, *met_by(player)}, right=_MAY_LIFT)


def impose(
    *,
    player: Player,
    kind: SanctionKind,
    reason: str,
    by: User | None,
    suspended_from: SuspendedFrom | None = None,
    until: datetime | None = None,
    note: str = "",
) -> Sanction:
    """Impose a sanction from now on. `reason` is told to the player, unless it is a note; `note` to the audit log.

    On an own player as well: of several the one that lasts longest holds, so it takes nothing away. Raises
    WrongSanctionError, and OwnMatterError for one with whom an own player has a match that is undecided.
    """
    if (kind == SanctionKind.SUSPENDED) != (suspended_from is not None):
        raise WrongSanctionError(
            _("A suspension says what the player is suspended from; nothing else does.")
        )
    with briefly() as now:
        if player.merged_into is not None:
            words = _("%(player)s is merged into %(into)s. Impose it on that player.")
            raise WrongSanctionError(words % {"player": player, "into": player.merged_into})
        if reason_against := say_deleted(player):
            raise WrongSanctionError(reason_against)
        if until is not None and until <= now:
            raise WrongSanctionError(
                _("The time it ends is over already. Give one that is to come.")
            )
        check_impose(by, player.pk)
        sanction = Sanction.objects.create(
            player=player,
            kind=kind,
            suspended_from=suspended_from or "",
            reason=reason,
            until=until,
            imposed_at=now,
            imposed_by=by,
        )
        _conclude(sanction, "player.sanctioned", by, note)
    return sanction


def lift(*, sanction_id: int, by: User | None, note: str = "") -> Sanction:
    """Let a sanction end now. Raises WrongSanctionError for one that is over, OwnMatterError for one of an own player
    or of whom it has an undecided match with, and Sanction.DoesNotExist.
    """
    with briefly() as now:
        sanctions = Sanction.objects.select_related("player__game").select_for_update(of=("self",))
        sanction = sanctions.get(pk=sanction_id)
        check_lift(by, sanction.player_id)
        if sanction.lifted_at is not None or (sanction.until is not None and sanction.until <= now):
            raise WrongSanctionError(_("This sanction is over already. Nothing was changed."))
        sanction.lifted_at, sanction.lifted_by = now, by
        sanction.save(update_fields=["lifted_at", "lifted_by"])
        _conclude(sanction, "player.sanction_lifted", by, note)
    return sanction


def carry_over(
    *,
    player: Player,
    into: Player,
    by: User | None,
    note: str,
    kinds: Collection[SanctionKind] = tuple(SanctionKind),
) -> int:
    """Let what is in force on a player hold for another as well, as long as it would; returns how much that is.

    The player's own stay as they are; what has come from the other does not come back twice. Call it in the transaction
    that merges the two, which has asked whether the operator may.
    """
    own_kinds = in_force().filter(player=player, kind__in=kinds)
    carried = list(own_kinds.exclude(carried_from__player=into).order_by("pk"))
    for own in carried:
        sanction = Sanction.objects.create(
            player=into,
            kind=own.kind,
            suspended_from=own.suspended_from,
            reason=own.reason,
            until=own.until,
            imposed_at=clock.replaced() or TransactionNow(),
            imposed_by=own.imposed_by,
            carried_from=own,
        )
        _conclude(sanction, "player.sanctioned", by, note)
    return len(carried)


def impose_kept(
    *, player: Player, suspended_from: str, until: datetime | None, reason: str
) -> Sanction:
    """Let a suspension that is in force go on for a player who is new. Call it in the transaction that adds the player,
    which may be a long one: no limits are set to it.
    """
    sanction = Sanction.objects.create(
        player=player,
        kind=SanctionKind.SUSPENDED,
        suspended_from=suspended_from,
        reason=reason,
        until=until,
        imposed_at=clock.replaced() or TransactionNow(),
    )
    _conclude(sanction, "player.sanctioned", None, "")
    return sanction


def end_carried(*, player: Player, into: Player, by: User | None, note: str) -> int:
    """Lift what was carried over from a player and is in force still; returns how much that is.

    Call it in the transaction that takes the merge back. Raises OwnMatterError, as lifting does.
    """
    carried = list(in_force().filter(player=into, carried_from__player=player).order_by("pk"))
    if carried:
        check_lift(by, into.pk)
    for sanction in carried:
        sanction.lifted_at, sanction.lifted_by = clock.now(), by
        sanction.save(update_fields=["lifted_at", "lifted_by"])
        _conclude(sanction, "player.sanction_lifted", by, note)
    return len(carried)


def _conclude(sanction: Sanction, action: str, by: User | None, note: str) -> None:
    says = {
        "sanction": sanction.pk,
        "kind": str(sanction.kind),
        "suspended_from": str(sanction.suspended_from),
        "until": sanction.until.isoformat() if sanction.until else None,
        "reason": sanction.reason,
    }
    was_lifted = sanction.lifted_at is not None
    audit.record(
        actor=by,
        action=action,
        target=sanction.player,
        before=says if was_lifted else None,
        after=None if was_lifted else says,
        note=note,
    )
    if sanction.kind != SanctionKind.NOTE:
        topics = [f"player:{sanction.player_id}", f"searches:{sanction.player.game_id}"]
        kind = Kind.SANCTION_LIFTED if was_lifted else Kind.SANCTION_IMPOSED
        broadcast(topics, kind, player=sanction.player_id)
    for follower in _followers:
        after_commit(follower, sanction)
