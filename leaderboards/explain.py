"""Numbers as sentences: why a rating changed, and when one will."""

from datetime import datetime

from django.template.defaultfilters import floatformat
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foundation.templatetags.display import moment
from leaderboards.contributions import Contribution
from ratings.forecasts import Belief, belief_before
from ratings.models import ChangeKind, Match, MatchState, RatingChange, RatingTrack
from ratings.periods import calendar_of

__all__ = [
    "belief_text",
    "explain_change",
    "explain_period",
    "explain_replay",
    "explain_state",
    "explain_wait",
]


def belief_text(belief: Belief) -> str:
    """ "1512 ± 60", or the rating alone where the system has no deviation."""
    value = floatformat(belief.value, "0u")
    if belief.deviation is None:
        return value
    return f"{value} ± {floatformat(belief.deviation, '0u')}"


def explain_change(name: str, change: Contribution) -> str:
    """What was expected of the player, what came, and what that was worth."""
    figures = {
        "name": name,
        "expected": floatformat(change.expected, 2),
        "gap": floatformat(abs(change.actual - change.expected), 2),
        "weight": floatformat(change.weight, 1),
        "points": floatformat(abs(change.points), 1),
    }
    return f"{_outcome(change.actual) % figures} {_surprise(change) % figures}"


def explain_period(name: str, row: RatingChange) -> str:
    """What all games of the rating period did together."""
    if row.kind != ChangeKind.PERIOD:
        return ""
    sentence = ngettext(
        "In this rating period it was the only game of %(name)s: the rating went from %(before)s to %(after)s.",
        "In this rating period of %(games)s games the rating of %(name)s went from %(before)s to %(after)s.",
        row.games,
    )
    return sentence % {
        "name": name,
        "games": number_format(row.games),
        "before": belief_text(belief_before(row)),
        "after": belief_text(Belief(row.value_after, row.deviation_after)),
    }


def explain_wait(track: RatingTrack | None, match: Match, now: datetime) -> str:
    """When a confirmed match that is not rated yet will be."""
    if track is None:
        return _("Nothing rates this ladder yet.")
    if track.period_days is None:
        return _("This match is rated as soon as its turn comes, usually within seconds.")
    calendar = calendar_of(track)
    if calendar is None or match.counts_at is None:
        return _("This match is rated when the rating period in which it counts is over.")
    end = calendar.ends_at(calendar.number_at(match.counts_at))
    if end <= now:
        return _("The rating period of this match is over: it is being rated now.")
    return _("This match is rated when its rating period ends, on %(day)s.") % {"day": moment(end)}


def explain_state(match: Match) -> str:
    """Why a match that is not confirmed has no part in the ratings; empty for a confirmed one."""
    return {
        MatchState.PLAYING.value: _("This match is being played. It has no result yet."),
        MatchState.REPORTED.value: _("A result was reported. It counts once it is confirmed."),
        MatchState.DISPUTED.value: _(
            "The players disagree about the result, so it does not count."
        ),
        MatchState.ABANDONED.value: _("Nobody reported a result, so the match does not count."),
        MatchState.ABORTED.value: _("This match was broken off and does not count."),
        MatchState.ANNULLED.value: _("This match was annulled. It no longer counts."),
    }.get(match.state, "")


def explain_replay() -> str:
    """What becomes of the ratings once a match is annulled."""
    return _("The ratings are being computed anew without it.")


def _outcome(actual: float) -> str:
    if actual == 1:
        return _("%(name)s was expected to score %(expected)s and won.")
    if actual == 0:
        return _("%(name)s was expected to score %(expected)s and lost.")
    return _("%(name)s was expected to score %(expected)s and drew.")


def _surprise(change: Contribution) -> str:
    if change.actual > change.expected:
        return _("That is %(gap)s better; with a weight of %(weight)s it brings %(points)s points.")
    if change.actual < change.expected:
        return _("That is %(gap)s less; with a weight of %(weight)s it costs %(points)s points.")
    return _("That is exactly as expected, so the rating stays.")
