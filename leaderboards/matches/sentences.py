"""Numbers as sentences: why a rating changed, and when one will."""

from datetime import datetime

from django.template.defaultfilters import floatformat
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foundation.templatetags.display import filled, timed
from ratings.ledger.forecasts import Belief, belief_before
from ratings.models import ChangeKind, Match, MatchState, RatingChange, RatingTrack
from ratings.tracks.periods import calendar_of

__all__ = [
    "belief_text",
    "explain_period",
    "explain_replay",
    "explain_state",
    "explain_wait",
]

# A volatility that moved by less than this share of itself has not moved.
_STEADY = 0.002


def belief_text(belief: Belief, places: int = 0) -> str:
    """ "1512 ± 60", or the rating alone where the system has no deviation."""
    value = floatformat(belief.value, f"{places}u")
    if belief.deviation is None:
        return value
    return f"{value} ± {floatformat(belief.deviation, f'{places}u')}"


def explain_period(name: str, row: RatingChange, places: int = 0) -> str:
    """What all games of the rating period did together: to the rating, and to its volatility if it has one."""
    if row.kind != ChangeKind.PERIOD:
        return ""
    sentence = ngettext(
        "%(name)s played only this game in the rating period: the rating went from %(before)s"
        " to %(after)s.",
        "%(name)s played %(games)s games in this rating period: the rating went from "
        "%(before)s to %(after)s.",
        row.games,
    )
    told = sentence % {
        "name": name,
        "games": number_format(row.games),
        "before": belief_text(belief_before(row), places),
        "after": belief_text(Belief(row.value_after, row.deviation_after), places),
    }
    return f"{told} {_explain_volatility(row)}".rstrip()


def _explain_volatility(row: RatingChange) -> str:
    """What the volatility did in a period, for systems that have one."""
    before, after = row.volatility_before, row.volatility_after
    if before is None or after is None:
        return ""
    if abs(after - before) < _STEADY * before:
        sentence = _(
            "The volatility stayed at %(after)s: the results varied about as much as they were expected to."
        )
    elif after > before:
        sentence = _(
            "The volatility rose from %(before)s to %(after)s: the results varied more than expected, so the rating "
            "will move faster."
        )
    else:
        sentence = _(
            "The volatility fell from %(before)s to %(after)s: the results varied less than expected, so the rating "
            "will move more calmly."
        )
    return sentence % {"before": floatformat(before, 4), "after": floatformat(after, 4)}


def explain_wait(track: RatingTrack | None, match: Match, now: datetime) -> str:
    """When a confirmed match that is not rated yet will be, or why it never is."""
    if track is None:
        return _("This ladder has no ratings yet.")
    if match.ladder_seq is not None and match.ladder_seq <= track.rated_seq:
        return _(
            "The ratings of this ladder need figures that this match doesn't have, so"
            " none of them changed."
        )
    if track.period_days is None:
        return _("This match is rated as soon as its turn comes, usually within seconds.")
    calendar = calendar_of(track)
    if calendar is None or match.counts_at is None:
        return _("This match is rated when the rating period in which it counts is over.")
    end = calendar.ends_at(calendar.number_at(match.counts_at))
    if end <= now:
        return _("The rating period of this match is over: it is being rated now.")
    return filled(_("This match is rated when its rating period ends, on %(day)s."), day=timed(end))


def explain_state(match: Match) -> str:
    """Why a match that is not confirmed has no part in the ratings; empty for a confirmed one."""
    return {
        MatchState.PLAYING.value: _("This match is being played. It has no result yet."),
        MatchState.REPORTED.value: _("A result was reported. It counts once it is confirmed."),
        MatchState.DISPUTED.value: _("The players disagree about the result, so it doesn't count."),
        MatchState.ABANDONED.value: _("Nobody reported a result, so the match doesn't count."),
        MatchState.ABORTED.value: _("This match was aborted and doesn't count."),
        MatchState.ANNULLED.value: _("This match was annulled. It no longer counts."),
    }.get(match.state, "")


def explain_replay() -> str:
    """What becomes of the ratings once a match is annulled."""
    return _("The ratings are being recalculated without it.")
