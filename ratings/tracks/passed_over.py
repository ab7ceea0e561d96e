"""Matches that a track passes over, because they do not tell what its system rates by."""

from collections.abc import Iterable

from django.db.models import Count, OuterRef, Subquery, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings import systems
from ratings.models import Match, MatchState, Rating, RatingTrack
from ratings.wording import say

__all__ = ["passed_over", "passed_over_in_words"]


def passed_over(tracks: Iterable[RatingTrack]) -> dict[int, int]:
    """How many of the confirmed matches up to where a track is it has not rated; of those that passed any over.

    One query; none for systems that need nothing but results. While a match is annulled, and a track not
    recalculated yet, it is one less. `ladder` of every track should be loaded.
    """
    needing = [track for track in tracks if systems.declaration_of(track.system).needs]
    if not needing:
        return {}
    behind = Match.objects.filter(
        ladder=OuterRef("ladder"),
        state=MatchState.CONFIRMED,
        ladder_seq__lte=OuterRef("rated_seq"),
    ).order_by()
    games = Rating.objects.filter(track=OuterRef("pk")).order_by()
    counted = RatingTrack.objects.filter(pk__in=[track.pk for track in needing]).values_list(
        "pk",
        Subquery(behind.values("ladder").annotate(number=Count("pk")).values("number")),
        Subquery(games.values("track").annotate(number=Sum("games")).values("number")),
    )
    players = {track.pk: track.ladder.team_count * track.ladder.team_size for track in needing}
    over = {pk: (matches or 0) - (played or 0) // players[pk] for pk, matches, played in counted}
    return {pk: number for pk, number in over.items() if number > 0}


def passed_over_in_words(track: RatingTrack) -> str:
    """Why these are not rated; empty where there are none."""
    count = passed_over([track]).get(track.pk, 0)
    if not count:
        return ""
    text = ngettext(
        "%(count)s match was passed over: it does not tell %(figures)s of everyone.",
        "%(count)s matches were passed over: they do not tell %(figures)s of everyone.",
        count,
    )
    needs_time = "minutes" in systems.declaration_of(track.system).needs
    return text % {
        "count": say(count),
        "figures": _("score and minutes") if needs_time else _("the score"),
    }
