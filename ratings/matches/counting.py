"""How many matches of a ladder count: those in its sequence without the annulled ones, which keep their numbers, and
without the dates between them.

On ladders rated by events most numbers are of events: there the matches are counted.
"""

from collections.abc import Sequence

from django.db.models import Count

from ratings.models import DriftDate, Ladder, Match, MatchState, RatedBy

__all__ = ["matches_that_count"]


def matches_that_count(ladders: Sequence[Ladder]) -> dict[int, int]:
    """By ladder, as many as count now. Two queries, of the annulled alone and of dates, and one more where a ladder is
    rated by events.
    """
    by_results = [ladder for ladder in ladders if ladder.rated_by != RatedBy.EVENTS]
    annulled = Match.objects.filter(
        ladder__in=[ladder.pk for ladder in by_results],
        state=MatchState.ANNULLED,
        ladder_seq__isnull=False,
    )
    found = annulled.order_by().values_list("ladder").annotate(number=Count("pk"))
    without = dict(found)
    dates = DriftDate.objects.filter(ladder__in=[ladder.pk for ladder in by_results])
    for ladder_id, number in dates.order_by().values_list("ladder").annotate(number=Count("seq")):
        without[ladder_id] = without.get(ladder_id, 0) + number
    numbers = {ladder.pk: ladder.last_seq - without.get(ladder.pk, 0) for ladder in by_results}
    by_events = [ladder.pk for ladder in ladders if ladder.rated_by == RatedBy.EVENTS]
    if by_events:
        told = Match.objects.filter(
            ladder__in=by_events, state=MatchState.CONFIRMED, ladder_seq__isnull=False
        )
        counted = told.order_by().values_list("ladder").annotate(number=Count("pk"))
        numbers |= dict.fromkeys(by_events, 0) | dict(counted)
    return numbers
