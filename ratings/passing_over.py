"""Matches that a track passes over, because they do not tell what its system rates by."""

from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings import systems
from ratings.models import Match, MatchState, RatingTrack
from ratings.wording import say

__all__ = ["passed_over", "passed_over_in_words"]


def passed_over(track: RatingTrack) -> int:
    """How many of the confirmed matches up to where the track is it has not rated.

    Two queries; none for systems that need nothing but results. While a match is annulled, and the track not
    recalculated yet, it is one less.
    """
    if not systems.create(track.system).needs:
        return 0
    behind = Match.objects.filter(
        ladder=track.ladder_id, state=MatchState.CONFIRMED, ladder_seq__lte=track.rated_seq
    )
    games = track.ratings.aggregate(all=Sum("games"))["all"] or 0
    return max(0, behind.count() - games // (track.ladder.team_count * track.ladder.team_size))


def passed_over_in_words(track: RatingTrack) -> str:
    """Why these are not rated; empty where there are none."""
    count = passed_over(track)
    if not count:
        return ""
    text = ngettext(
        "%(count)s match was passed over: it does not tell %(figures)s of everyone.",
        "%(count)s matches were passed over: they do not tell %(figures)s of everyone.",
        count,
    )
    needs_time = "minutes" in systems.create(track.system).needs
    return text % {
        "count": say(count),
        "figures": _("score and minutes") if needs_time else _("the score"),
    }
