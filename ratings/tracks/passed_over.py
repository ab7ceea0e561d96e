"""Matches that a track passes over, because they do not tell what its system rates by."""

from collections.abc import Iterable

from django.db.models import BigIntegerField, Case, Count, F, OuterRef, Q, Subquery, Sum, When
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings import systems
from ratings.models import Match, MatchState, Rating, RatingChange, RatingPeriod, RatingTrack
from ratings.wording import say

__all__ = ["passed_over", "passed_over_in_words"]


def passed_over(tracks: Iterable[RatingTrack]) -> dict[int, int]:
    """How many of the confirmed matches up to where a track is it has not rated; of those that passed any over.

    One query; none for systems that need nothing but results. While a match is annulled, and a track not
    recalculated yet, it is one less. `ladder` of every track should be loaded.

    How many are rated is known by the closed periods, or by the games of all players, where all matches have as many
    players. Else the matches of the ledger are counted.
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
    periods = RatingPeriod.objects.filter(track=OuterRef("pk")).order_by()
    ledger = RatingChange.objects.filter(track=OuterRef("pk"), match__isnull=False).order_by()
    is_counted = Q(pk__in=[one.pk for one in needing if not _have_all_as_many(one)])
    counted = RatingTrack.objects.filter(pk__in=[track.pk for track in needing]).values_list(
        "pk",
        Subquery(behind.values("ladder").annotate(number=Count("pk")).values("number")),
        Case(
            When(
                period_days__isnull=False,
                then=Subquery(
                    periods.values("track").annotate(number=Sum("games")).values("number")
                ),
            ),
            When(
                is_counted,
                then=Subquery(
                    ledger.values("track")
                    .annotate(number=Count("match", distinct=True))
                    .values("number")
                ),
            ),
            default=Subquery(games.values("track").annotate(number=Sum("games")).values("number"))
            / Subquery(
                RatingTrack.objects.filter(pk=OuterRef("pk")).values(
                    players=F("ladder__team_count") * F("ladder__team_size")
                )
            ),
            output_field=BigIntegerField(),
        ),
    )
    over = {pk: (matches or 0) - (rated or 0) for pk, matches, rated in counted}
    return {pk: number for pk, number in over.items() if number > 0}


def _have_all_as_many(track: RatingTrack) -> bool:
    """Whether each match that the track has rated has rated as many players: nobody is left out for 0 minutes."""
    return (
        track.ladder.shape.is_exact and "minutes" not in systems.declaration_of(track.system).needs
    )


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
