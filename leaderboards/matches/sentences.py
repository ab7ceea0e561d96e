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
from ratings.models import (
    ChangeKind,
    Correction,
    Match,
    MatchState,
    Mode,
    Participant,
    RatedBy,
    RatingChange,
    RatingTrack,
)
from ratings.systems import MatchChange, declaration_of
from ratings.tracks.periods import calendar_of

__all__ = [
    "Participation",
    "explain_change",
    "explain_corrected",
    "explain_correction",
    "explain_decision",
    "explain_period",
    "explain_replay",
    "explain_state",
    "explain_wait",
    "participation_of",
]

# A volatility that moved by less than this share of itself has not moved.
_STEADY = 0.002
# Rating points: less is rounding.
_NOTICED = 0.05


@dataclass(frozen=True, slots=True)
class Participation:
    """How a player took part in a match.

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
    """A change in words: `sentences` for reading on, and what the formula calls the weight.

    `kept`: rating points beside the formula, of a match whose frags were rated one by one; 0 for any other.
    """

    sentences: str
    weight: str
    kept: float = 0.0


def participation_of(participant: Participant, team: Team, teams: list[Team]) -> Participation:
    """The participation of one of the players of a match."""
    times = [one.minutes for every in teams for one in every.members]
    share = 1.0
    if participant.minutes is not None and None not in times:
        share = participant.minutes / (max(time or 0.0 for time in times) or 1.0)
    return Participation(participant, len(teams), len(team.members), team.place, share)


def explain_change(
    name: str,
    contribution: Contribution,
    participation: Participation,
    track: RatingTrack,
    *,
    by_events: bool = False,
) -> Reason:
    """What was expected of the player, what came, what that was worth, and why so much.

    `by_events`: whether the ladder is rated by events.
    """
    entry, other, part = contribution.entry, contribution.opponent, participation.participant
    known = MatchChange(
        expected=contribution.expected,
        actual=contribution.actual,
        forecast=contribution.forecast,
        weight=contribution.weight,
        points=contribution.points,
        decimals=track.decimals,
        status=belief_before(entry).status,
        opponent_status=other.status if other else None,
        opponent_deviation=other.deviation if other else None,
        is_alone=entry.match_id is not None,
        value_after=entry.value_after,
        deviation_after=entry.deviation_after,
        teams=participation.teams,
        team_size=participation.team_size,
        opponents=contribution.opponents,
        share=participation.share,
        minutes=part.minutes,
        score=part.score,
        by_events=by_events,
    )
    declared = declaration_of(track.system)
    decimals, gap = track.decimals, abs(contribution.actual - contribution.expected)
    # Two decimals; of a smaller surprise as many as show it, for a large weight makes points of it.
    digits = 2 if gap == 0 or gap >= 0.005 else min(6, math.ceil(-math.log10(gap)))
    figures = {
        "name": name,
        "expected": floatformat(contribution.expected, digits),
        "forecast": floatformat(contribution.forecast, 2),
        "actual": floatformat(contribution.actual, 2),
        "gap": floatformat(gap, digits),
        "weight": floatformat(contribution.weight, decimals + 1),
        "symbol": declared.weight_symbol,
        "points": floatformat(abs(contribution.points), decimals + 1),
        "kept": floatformat(known.passed_over, decimals + 1),
        "place": ordinal(participation.place) if participation.place else "",
        "teams": str(participation.teams),
        "before": _plus_minus(entry.deviation_before, decimals),
        "after": _plus_minus(entry.deviation_after, decimals),
        "other": _plus_minus(known.opponent_deviation, decimals),
        "minutes": floatformat(part.minutes or 0.0, -1),
        "share": percent(participation.share),
        "hourly": floatformat(60 * (part.score or 0.0) / part.minutes, -1) if part.minutes else "",
    }
    sentences = [
        _(said.text) % (figures | {gap: percent(share) for gap, share in said.shares.items()})
        for said in declared.explain(known)
    ]
    has_symbol = not known.by_events and not declared.is_at_floor(known)
    symbol = declared.weight_symbol if has_symbol else ""
    kept = known.passed_over if known.by_events and abs(known.passed_over) >= _NOTICED else 0.0
    return Reason(" ".join(sentences), symbol or _("weight"), kept)


def _plus_minus(deviation: float | None, decimals: int) -> str:
    """ "± 60": where a system shows decimals, one more than its ratings have, for a match moves it little."""
    return f"±\u00a0{floatformat(deviation or 0.0, f'{decimals and decimals + 1}u')}"


def belief_text(belief: Belief, decimals: int = 0) -> str:
    """ "1512 ± 60", or the rating alone where the system has no deviation."""
    value = floatformat(belief.value, f"{decimals}u")
    if belief.deviation is None:
        return value
    return f"{value} ± {floatformat(belief.deviation, f'{decimals}u')}"


def explain_period(name: str, entry: RatingChange, decimals: int = 0) -> str:
    """What all games of the rating period did together: to the rating, and to its volatility if it has one."""
    if entry.kind != ChangeKind.PERIOD:
        return ""
    sentence = ngettext(
        "%(name)s played only this game in the rating period: the rating went from %(before)s"
        " to %(after)s.",
        "%(name)s played %(games)s games in this rating period: the rating went from "
        "%(before)s to %(after)s.",
        entry.games,
    )
    text = sentence % {
        "name": name,
        "games": number_format(entry.games),
        "before": belief_text(belief_before(entry), decimals),
        "after": belief_text(Belief(entry.value_after, entry.deviation_after), decimals),
    }
    before, after = entry.volatility_before, entry.volatility_after
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
    if not match.rated:
        return _(
            "This match is not rated: its players agreed on that before, and no rating changes."
        )
    if track is None:
        return _("This ladder has no ratings yet.")
    is_past = match.ladder_seq is not None and match.ladder_seq <= track.rated_seq
    if is_past and match.ladder.rated_by == RatedBy.EVENTS:
        return _("Nothing in this match counted, so no rating changed.")
    if is_past:
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
    minutes = math.ceil((end - now).total_seconds() / 60)
    if minutes < 60:  # a time of day has no seconds; and a page that is kept must stay true
        words = ngettext(
            "This match is rated when its rating period ends, within %(minutes)s minute.",
            "This match is rated when its rating period ends, within %(minutes)s minutes.",
            minutes,
        )
        return words % {"minutes": number_format(minutes)}
    return filled(_("This match is rated when its rating period ends, on %(day)s."), day=timed(end))


def explain_state(match: Match) -> str:
    """Why a match that is not confirmed has no part in the ratings; empty for a confirmed one."""
    if match.ladder.rated_by == RatedBy.EVENTS and (words := _state_of_told(match)):
        return words
    return {
        MatchState.PLAYING.value: _("This match is being played. It has no result yet."),
        MatchState.REPORTED.value: _("A result was reported. It counts once it is confirmed."),
        MatchState.DISPUTED.value: _(
            "What the players reported doesn't settle the result, so it doesn't count."
        ),
        MatchState.ABANDONED.value: _("Nobody reported a result, so the match doesn't count."),
        MatchState.ABORTED.value: _("This match was aborted and doesn't count."),
        MatchState.ANNULLED.value: _("This match was annulled. It no longer counts."),
    }.get(match.state, "")


def _state_of_told(match: Match) -> str:
    """The same of a match that its server tells, where it differs."""
    if match.state == MatchState.ABANDONED:
        return _("Nobody had anybody to play against, so this match doesn't count.")
    if match.state != MatchState.PLAYING:
        return ""
    if match.ladder.mode == Mode.RANKED:
        return _("This match is being played. Ratings follow within seconds.")
    return _("This match is being played.")


def explain_decision(decided_at: datetime | None) -> str:
    """That a match was disputed, and since when it no longer is; empty where no operator has decided it."""
    if decided_at is None:
        return ""
    return filled(
        _("This match was disputed. The administration decided it, on %(day)s."),
        day=timed(decided_at),
    )


def explain_replay() -> str:
    """What becomes of the ratings once a match is annulled."""
    return _("The ratings are being recalculated without it.")


def explain_corrected(correction: Correction) -> str:
    """Who has corrected the result of a match, and when."""
    text = _("The administration corrected the result on %(day)s.")
    if correction.server_key is not None:
        text = _("The game's server corrected the result on %(day)s.")
    return filled(text, day=timed(correction.at))


def explain_correction(match: Match) -> str:
    """What becomes of the ratings once a result is corrected, or a player of the match is merged."""
    if match.corrected_at is None:
        return _("The ratings are being recalculated.")
    return _("The ratings are being recalculated with the corrected result.")
