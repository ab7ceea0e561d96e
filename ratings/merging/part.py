"""Players of others who are merged into one who goes: they count for themselves again, or stay behind."""

from collections.abc import Collection
from contextlib import suppress

from django.db import transaction
from django.db.models import QuerySet

from ratings.merging.refusals import CannotMergeError
from ratings.merging.unmerge import unmerge
from ratings.models import PlayerMerge, SanctionKind
from ratings.players.site_ids import is_deleted
from ratings.sanctions import carry_over

__all__ = ["merges_of_others", "part_others"]

_NOTE = "Merged into somebody who is deleted"


def merges_of_others(going: Collection[int]) -> QuerySet[PlayerMerge]:
    """Merges in force into one of the players who go, of such as do not."""
    merges = PlayerMerge.objects.filter(into__in=going, undone_at=None).exclude(merged__in=going)
    return merges.order_by("merged")


def part_others(going: Collection[int]) -> None:
    """Unmerge them, as far as it can be now: a busy game, or an account that has another player by now, stops nobody
    from going. Those who are left are told of by `merges_of_others`. Call it outside of any transaction.

    They were one person with who goes: what that one is suspended from, and hidden from, holds for them, too, also
    where they are left; and what has come from them stays with who goes.
    """
    for made in merges_of_others(going).select_related("merged__game", "into__game"):
        if is_deleted(made.merged):
            continue
        with transaction.atomic():
            carry_over(
                player=made.into,
                into=made.merged,
                by=None,
                note=_NOTE,
                kinds=(SanctionKind.HIDDEN, SanctionKind.SUSPENDED),
            )
        with suppress(CannotMergeError):
            unmerge(player=made.merged, by=None, note=_NOTE, ends_carried=False)
