"""How many matches of a ladder count: those in its sequence without the annulled ones, which keep their numbers."""

from collections.abc import Sequence

from django.db.models import Count

from ratings.models import Ladder, Match, MatchState

__all__ = ["matches_that_count"]


def matches_that_count(ladders: Sequence[Ladder]) -> dict[int, int]:
    """By ladder, as many as count now. One query, of an index of the annulled alone."""
    annulled = Match.objects.filter(
        ladder__in=[ladder.pk for ladder in ladders],
        state=MatchState.ANNULLED,
        ladder_seq__isnull=False,
    )
    found = annulled.order_by().values_list("ladder").annotate(number=Count("pk"))
    without = dict(found)
    return {ladder.pk: ladder.last_seq - without.get(ladder.pk, 0) for ladder in ladders}
