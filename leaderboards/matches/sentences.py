"""Numbers as sentences: why a rating changed, with the figures of the match, and when one will."""

import math
from dataclasses import dataclass
from datetime import datetime

from django.template.defaultfilters import floatformat
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foundation.templatetags.display import filled, ordinal, percent, timed
from ratings.ledger.contributions import Contribution
from ratings.ledger.forecasts import Belief, belief_before
from ratings.matches.summary import Team
from ratings.models import ChangeKind, Match, MatchState, Participant, RatingChange, RatingTrack
from ratings.systems import MatchChange, declaration_of
from ratings.tracks.periods import calendar_of

__all__ = [
    "Reason",
    "Seat",
    "belief_text",
    "explain_change",
    "explain_period",
    "explain_replay",
    "explain_state",
    "explain_wait",
    "seat_of",
]

# A volatility that moved by less than this share of itself has not moved.
_STEADY = 0.002


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a player sat in a match.

    place  that of the team, from 1; None without a result
    share  of the longest time that anybody took part; 1 where times are not all known
    """

    participant: Participant
    teams: int
    team_size: int
    place: int | None
    share: float


@dataclass(frozen=True, slots=True)
class Reason:
    """A change in words: `sentences` for reading on, and what the formula calls the weight."""

    sentences: str
    weight: str


def seat_of(participant: Participant, team: Team, teams: list[Team]) -> Seat:
    """The seat of one of the players of a match."""
    times = [one.minutes for every in teams for one in every.members]
    share = 1.0
    if participant.minutes is not None and None not in times:
        share = participant.minutes / (max(time or 0.0 for time in times) or 1.0)
    return Seat(participant, len(teams), len(team.members), team.place, share)


def explain_change(name: str, change: Contribution, seat: Seat, track: RatingTrack) -> Reason:
    """What was expected of the player, what came, what that was worth, and why so much."""
    row, other, part = change.change, change.opponent, seat.participant
    known = MatchChange(
        expected=change.expected,
        actual=change.actual,
        forecast=change.forecast,
        weight=change.weight,
        points=change.points,
        decimals=track.decimals,
        status=belief_before(row).status,
        opponent_status=other.status if other else None,
        opponent_deviation=other.deviation if other else None,
        is_alone=row.match_id is not None,
        value_after=row.value_after,
        deviation_after=row.deviation_after,
        teams=seat.teams,
        team_size=seat.team_size,
        share=seat.share,
        minutes=part.minutes,
        score=part.score,
    )
    declared = declaration_of(track.system)
    places, gap = track.decimals, abs(change.actual - change.expected)
    # Two decimals; of a smaller surprise as many as show it, for a large weight makes points of it.
    digits = 2 if gap == 0 or gap >= 0.005 else min(6, math.ceil(-math.log10(gap)))
    figures = {
        "name": name,
        "expected": floatformat(change.expected, digits),
        "forecast": floatformat(change.forecast, 2),
        "actual": floatformat(change.actual, 2),
        "gap": floatformat(gap, digits),
        "weight": floatformat(change.weight, places + 1),
        "symbol": declared.weight_symbol,
        "points": floatformat(abs(change.points), places + 1),
        "place": ordinal(seat.place) if seat.place else "",
        "teams": str(seat.teams),
        "before": _plus_minus(row.deviation_before, places),
        "after": _plus_minus(row.deviation_after, places),
        "other": _plus_minus(known.opponent_deviation, places),
        "minutes": floatformat(part.minutes or 0.0, -1),
        "share": percent(seat.share),
        "hourly": floatformat(60 * (part.score or 0.0) / part.minutes, -1) if part.minutes else "",
    }
    sentences = [
        _(said.text) % (figures | {gap: percent(share) for gap, share in said.shares.items()})
        for said in declared.explain(known)
    ]
    symbol = "" if declared.is_at_floor(known) else declared.weight_symbol
    return Reason(" ".join(sentences), symbol or _("weight"))


def _plus_minus(deviation: float | None, places: int) -> str:
    """ "± 60": where a system shows decimals, one more than its ratings have, for a match moves it little."""
    return f"±\u00a0{floatformat(deviation or 0.0, f'{places and places + 1}u')}"


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
    text = sentence % {
        "name": name,
        "games": number_format(row.games),
        "before": belief_text(belief_before(row), places),
        "after": belief_text(Belief(row.value_after, row.deviation_after), places),
    }
    before, after = row.volatility_before, row.volatility_after
    if before is None or after is None:
        return text
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
    volatility = sentence % {"before": floatformat(before, 4), "after": floatformat(after, 4)}
    return f"{text} {volatility}"


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
