"""What is in force now: imposed, not lifted, its time not over. Nothing has to run for a sanction to end.

A clock that jumped is believed here, as with disputes: it takes nothing from anybody for good.
"""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from http import HTTPStatus

from django.contrib.postgres.functions import TransactionNow
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from foundation import clock
from foundation.postgresql.prepared import prepared
from foundation.refusals import RefusedError
from foundation.templatetags.display import moment
from ratings.models import Game, Player, Sanction, SanctionKind, SuspendedFrom

__all__ = [
    "HIDDEN_NOW",
    "SUSPENDED_NOW",
    "TOLD_NOW",
    "SuspendedError",
    "check_may_write",
    "in_force",
    "keep_from",
    "suspended",
    "suspended_by_name",
    "told_to",
    "without_covered",
]

_IN_FORCE = """
sanction.lifted_at IS NULL AND (sanction.until IS NULL OR sanction.until > coalesce(%(at)s::timestamptz, now()))
"""
# Conditions in SQL on `ratings_sanction AS sanction`, for statements that read more at once: `at` is what
# `clock.replaced()` gives. The kinds stand there too, as in the index that these are found by.
SUSPENDED_NOW = (
    f"sanction.kind IN ('hidden', 'suspended') AND sanction.kind = 'suspended' AND {_IN_FORCE}"
)
HIDDEN_NOW = (
    f"sanction.kind IN ('hidden', 'suspended') AND sanction.kind = 'hidden' AND {_IN_FORCE}"
)
TOLD_NOW = f"sanction.kind <> 'note' AND {_IN_FORCE}"  # what `told_to` finds
_SUSPENDED = f"""
SELECT DISTINCT ON (sanction.player_id) sanction.id
FROM ratings_sanction AS sanction
WHERE sanction.player_id = ANY(%(players)s) AND sanction.suspended_from IN (%(what)s, 'all') AND {SUSPENDED_NOW}
ORDER BY sanction.player_id, sanction.until DESC NULLS FIRST
"""  # noqa: S608 - constants


class SuspendedError(RefusedError):
    """A player may not do this, by a sanction. `extra` says who, from what, until when (null: until it is lifted), and
    where to appeal. Why is told to the player alone, whose request it is: `is_own`.
    """

    code = "suspended"
    status = HTTPStatus.FORBIDDEN

    def __init__(self, sanction: Sanction, *, is_own: bool = True) -> None:
        until = sanction.until
        words = {
            "player": sanction.player.name,
            "until": moment(until) if until else "",
            "reason": sanction.reason,
            "what": sanction.get_suspended_from_display(),
        }
        if is_own:
            detail = (
                _("You are suspended from %(what)s until %(until)s: %(reason)s")
                if until
                else _("You are suspended from %(what)s until an admin lifts it: %(reason)s")
            )
        else:
            detail = (
                _("%(player)s is suspended from %(what)s until %(until)s.")
                if until
                else _("%(player)s is suspended from %(what)s.")
            )
        extra: dict[str, object] = {
            "player": sanction.player_id,
            "suspended_from": sanction.suspended_from,
            # with a Z, as all times in answers
            "until": until.astimezone(UTC).isoformat().replace("+00:00", "Z") if until else None,
            "appeal": sanction.player.game.appeals_to,
        }
        super().__init__(detail % words, **extra)
        self.sanction = sanction


def in_force() -> QuerySet[Sanction]:
    """Sanctions of any kind that are in force."""
    lasts = Q(until__isnull=True) | Q(until__gt=clock.replaced() or TransactionNow())
    return Sanction.objects.filter(lasts, lifted_at__isnull=True)


def keep_from(sanctions: Iterable[Sanction], what: SuspendedFrom) -> bool:
    """Whether one of these, which are in force, suspends from this or from everything."""
    return any(one.suspended_from in {what, SuspendedFrom.ALL} for one in sanctions)


def without_covered(sanctions: Iterable[Sanction]) -> list[Sanction]:
    """Those of a player that say something new: no suspension from one thing beside one from all that lasts as long."""
    told = list(sanctions)
    of_all = [one.until for one in told if one.suspended_from == SuspendedFrom.ALL]

    def is_covered(one: Sanction) -> bool:
        if one.suspended_from in {"", SuspendedFrom.ALL}:
            return False
        return any(
            until is None or (one.until is not None and one.until <= until) for until in of_all
        )

    return [one for one in told if not is_covered(one)]


def suspended(player_ids: Collection[int], what: SuspendedFrom) -> dict[int, Sanction]:
    """Who of these players is suspended from this or from everything: the sanction that lasts longest, by player.

    One query for who is not.
    """
    given = {"players": list(player_ids), "what": str(what), "at": clock.replaced()}
    with prepared() as cursor:
        cursor.execute(_SUSPENDED, given)
        ids = [pk for (pk,) in cursor.fetchall()]
    if not ids:
        return {}
    found = Sanction.objects.filter(pk__in=ids).select_related("player__game")
    return {sanction.player_id: sanction for sanction in found}


def check_may_write(player_id: int) -> None:
    """Raise SuspendedError where the player is suspended from writing to others: lines, notes, and names that they
    read. One query.
    """
    for sanction in suspended([player_id], SuspendedFrom.TALK).values():
        raise SuspendedError(sanction)


def suspended_by_name(
    game: Game, external_ids: Collection[str], now: datetime
) -> dict[str, Sanction]:
    """Who of these players of a game is suspended from results, by the ids in the game. One query."""
    sanctions = Sanction.objects.filter(
        Q(until__isnull=True) | Q(until__gt=now),
        lifted_at__isnull=True,
        kind=SanctionKind.SUSPENDED,
        suspended_from__in=[SuspendedFrom.RESULTS, SuspendedFrom.ALL],
        player__game=game,
        player__external_id__in=external_ids,
    )
    lasting_longest_last = sanctions.order_by(F("until").asc(nulls_last=True))
    return {it.player.external_id: it for it in lasting_longest_last.select_related("player__game")}


def told_to(*players: Player) -> list[Sanction]:
    """What these players are told of: everything in force but notes, the newest first. One query."""
    mine = in_force().filter(player__in=players).exclude(kind=SanctionKind.NOTE)
    return list(mine.order_by("-pk"))
