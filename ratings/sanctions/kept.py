"""Suspensions of people who were deleted go on for whoever plays under the same id in the game next.

Else a suspension would end by deleting oneself. What is kept until then names nobody: a keyed digest of the id.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts import audit
from accounts.models import User
from foundation import clock
from foundation.postgresql.transactions import briefly
from ratings.models import Game, KeptSuspension, Player, SanctionKind, SuspendedFrom
from ratings.players.site_ids import RESERVED, is_deleted
from ratings.sanctions.impose import WrongSanctionError, impose_kept
from ratings.sanctions.in_force import in_force, without_covered

__all__ = [
    "carry_kept",
    "digest_of",
    "forget_kept",
    "ids_kept_from_results",
    "keep_suspensions",
    "suspensions_to_keep",
]

# It takes only what is in force, so that what is imposed with the same time ends after it begins.
_TAKE = """
DELETE FROM ratings_keptsuspension
WHERE game_id = %(game)s AND digest = ANY(%(digests)s)
      AND (until IS NULL OR until > coalesce(%(at)s::timestamptz, now()))
RETURNING digest, suspended_from, until
"""


def digest_of(game_id: int, external_id: str) -> str:
    """What tells an id in a game again to whoever has the site's secret key, and tells nobody else anything."""
    given = f"{game_id}:{external_id}"
    return salted_hmac("ratings.kept_suspension", given, algorithm="sha256").hexdigest()


def suspensions_to_keep(player: Player) -> list[KeptSuspension]:
    """What is to be kept of a player who is about to be deleted, not saved. Of one who was merged: what holds for the
    player it stands for. Nothing of ids that no game brings.
    """
    player = Player.objects.get(pk=player.pk)  # the id as it is now
    if player.external_id.startswith(RESERVED) or is_deleted(player):
        return []
    digest = digest_of(player.game_id, player.external_id)
    meant = player.merged_into_id or player.pk
    suspensions = in_force().filter(kind=SanctionKind.SUSPENDED, player=meant).order_by("pk")
    return [
        KeptSuspension(
            game_id=player.game_id,
            digest=digest,
            suspended_from=one.suspended_from,
            until=one.until,
        )
        for one in without_covered(suspensions)
    ]


def keep_suspensions(player: Player) -> None:
    """Keep what is in force. Call it in the transaction that deletes the player, while it has its id."""
    KeptSuspension.objects.bulk_create(suspensions_to_keep(player))


def carry_kept(game_id: int, added: Mapping[str, int]) -> None:
    """Suspend those of the players just added, by their ids in the game, of whose id that is kept. One query for most.

    A statement of its own after the one that adds them: that one may have waited for a deletion to end.
    """
    by_digest = {digest_of(game_id, external_id): pk for external_id, pk in added.items()}
    given: dict[str, Any] = {"game": game_id, "digests": list(by_digest), "at": clock.replaced()}
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, given)
        taken = cursor.fetchall()
    if not taken:
        return
    players = Player.objects.select_related("game").in_bulk([by_digest[it] for it, *_ in taken])
    with override(settings.LANGUAGE_CODE):  # it is kept: whoever asks now is not who reads it
        reason = _(
            "Carried over: somebody who played under this id was suspended when they were deleted."
        )
    for digest, suspended_from, until in taken:
        player = players[by_digest[digest]]
        impose_kept(player=player, suspended_from=suspended_from, until=until, reason=reason)


def ids_kept_from_results(game: Game, external_ids: Collection[str], now: datetime) -> set[str]:
    """Those of the ids for which a suspension from results is kept. One query."""
    lasts = Q(until__isnull=True) | Q(until__gt=now)
    kept = KeptSuspension.objects.filter(
        lasts, game=game, suspended_from__in=[SuspendedFrom.RESULTS, SuspendedFrom.ALL]
    )
    digests = set(kept.values_list("digest", flat=True))
    if not digests:
        return set()
    return {name for name in external_ids if digest_of(game.pk, name) in digests}


def forget_kept(*, pk: int, by: User, note: str) -> None:
    """Let whoever plays under that id next not be suspended. Raises WrongSanctionError where it is not kept any
    more.
    """
    with briefly():
        kept = KeptSuspension.objects.select_for_update().filter(pk=pk).first()
        if kept is None:
            raise WrongSanctionError(
                _("This suspension is not kept any more. Nothing was changed.")
            )
        audit.record(
            actor=by,
            action="suspension.forgotten",
            target=kept,
            before={
                "game": kept.game_id,
                "suspended_from": kept.suspended_from,
                "until": kept.until.isoformat() if kept.until else None,
            },
            note=note,
        )
        kept.delete()
