"""Why a match moved a rating, in the terms of the system that rated it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _

from foundation.templatetags.display import ordinal, percent
from leaderboards.matches.teams import Side
from ratings.ledger.contributions import Contribution
from ratings.ledger.forecasts import belief_before
from ratings.models import Participant, RatingTrack, Status
from ratings.systems.trueskill.partial_play import LEAST_LEARNED

__all__ = ["Reason", "Seat", "explain_change", "seat_of"]

# What a full surprise is worth, where the system has a name for it.
_SYMBOLS = {"elo": "K", "elo_normal": "α β √π", "frags": "K"}


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

    @property
    def is_duel(self) -> bool:
        """One against one."""
        return self.teams == 2 and self.team_size == 1


@dataclass(frozen=True, slots=True)
class Reason:
    """A change in words: `sentences` for reading on, and what the formula calls the weight."""

    sentences: str
    weight: str


def seat_of(participant: Participant, side: Side, sides: list[Side]) -> Seat:
    """The seat of one of the players of a match, whose teams are `sides`."""
    ranks = [one.rank for one in sides]
    place = None
    if side.rank is not None:
        place = 1 + sum(rank is not None and rank < side.rank for rank in ranks)
    times = [one.minutes for every in sides for one in every.members]
    share = 1.0
    if participant.minutes is not None and None not in times:
        share = participant.minutes / (max(time or 0.0 for time in times) or 1.0)
    return Seat(participant, len(sides), len(side.members), place, share)


def explain_change(name: str, change: Contribution, seat: Seat, track: RatingTrack) -> Reason:
    """What was expected of the player, what came, what that was worth, and why so much."""
    system, figures = track.system, _figures(name, change, seat, track)
    sentences = [
        _outcome(change, seat, system) % figures,
        _surprise(change, system, track.decimals) % figures,
        *(text % figures for text in _WORTH.get(system, _say_nothing)(change, seat)),
    ]
    symbol = "" if _is_stopped(change, system) else _SYMBOLS.get(system)
    return Reason(" ".join(sentences), symbol or _("weight"))


def _figures(name: str, change: Contribution, seat: Seat, track: RatingTrack) -> Mapping[str, str]:
    """Every number that a sentence may name."""
    places, row, minutes = track.decimals, change.change, seat.participant.minutes
    score, gap = seat.participant.score or 0.0, abs(change.actual - change.expected)
    digits = _digits(gap)
    return {
        "name": name,
        "expected": floatformat(change.expected, digits),
        "forecast": floatformat(change.forecast, 2),
        "actual": floatformat(change.actual, 2),
        "gap": floatformat(gap, digits),
        "weight": floatformat(change.weight, places + 1),
        "symbol": _SYMBOLS.get(track.system, ""),
        "points": floatformat(abs(change.points), places + 1),
        "place": ordinal(seat.place) if seat.place else "",
        "teams": str(seat.teams),
        "before": _spread(row.deviation_before, places),
        "after": _spread(row.deviation_after, places),
        "other": _spread(change.opponent.deviation if change.opponent else None, places),
        "minutes": floatformat(minutes or 0.0, -1),
        "share": percent(seat.share),
        "learned": percent(max(seat.share, LEAST_LEARNED)),
        "hourly": floatformat(60 * score / minutes, -1) if minutes else "",
    }


def _digits(gap: float) -> int:
    """Two decimals; of a smaller surprise as many as show it, for a large weight makes points of it."""
    return 2 if gap == 0 or gap >= 0.005 else min(6, math.ceil(-math.log10(gap)))


def _spread(deviation: float | None, places: int) -> str:
    """ "± 60": where a system shows decimals, one more than its ratings have, for a match moves it little."""
    return f"±\u00a0{floatformat(deviation or 0.0, f'{places and places + 1}u')}"


def _outcome(change: Contribution, seat: Seat, system: str) -> str:
    if system == "frags" and seat.is_duel:
        return _("%(name)s was expected to score %(expected)s of the frags and scored %(actual)s.")
    if system == "zonestats":
        return _rate(seat)
    if seat.teams > 2:
        return _(
            "Against the others, %(name)s was expected to score %(expected)s on "
            "average, and scored %(actual)s by finishing %(place)s of %(teams)s."
        )
    alone, together = _DECIDED.get(change.actual, _UNDECIDED)()
    return alone if seat.team_size == 1 else together


def _rate(seat: Seat) -> str:
    """Neither places nor who won are rated, but who of two counted faster."""
    if seat.is_duel:
        return _(
            "%(name)s was expected to score %(expected)s by points an hour and scored %(actual)s."
        )
    return _(
        "Against the others, %(name)s was expected to score %(expected)s on "
        "average, and scored %(actual)s by points an hour."
    )


def _won() -> tuple[str, str]:
    return (
        _("%(name)s was expected to score %(expected)s and won."),
        _("%(name)s's team was expected to score %(expected)s and won."),
    )


def _lost() -> tuple[str, str]:
    return (
        _("%(name)s was expected to score %(expected)s and lost."),
        _("%(name)s's team was expected to score %(expected)s and lost."),
    )


def _drew() -> tuple[str, str]:
    return (
        _("%(name)s was expected to score %(expected)s and drew."),
        _("%(name)s's team was expected to score %(expected)s and drew."),
    )


def _scored() -> tuple[str, str]:
    return (
        _("%(name)s was expected to score %(expected)s and scored %(actual)s."),
        _("%(name)s's team was expected to score %(expected)s and scored %(actual)s."),
    )


_DECIDED = {1.0: _won, 0.0: _lost, 0.5: _drew}
_UNDECIDED = _scored


def _surprise(change: Contribution, system: str, places: int) -> str:
    """The points follow the sign of what they did: rules such as a floor may leave none."""
    gap, named = change.actual - change.expected, system in _SYMBOLS
    if _is_stopped(change, system):
        return (
            _("That is %(gap)s less than expected and costs the remaining %(points)s points.")
            if round(abs(change.points), places + 1)
            else _("That is %(gap)s less than expected.")
        )
    if gap > 0 and change.points >= 0:
        if named:
            return _(
                "That is %(gap)s more than expected and, with %(symbol)s = "
                "%(weight)s, earns %(points)s points."
            )
        return _(
            "That is %(gap)s more than expected and, with a weight of %(weight)s, "
            "earns %(points)s points."
        )
    if gap < 0 and change.points <= 0:
        if named:
            return _(
                "That is %(gap)s less than expected and, with %(symbol)s = "
                "%(weight)s, costs %(points)s points."
            )
        return _(
            "That is %(gap)s less than expected and, with a weight of %(weight)s, "
            "costs %(points)s points."
        )
    if change.points > 0:
        return _("It earns %(points)s points.")
    if change.points < 0:
        return _("It costs %(points)s points.")
    return _("That is exactly as expected, so the rating stays.")


def _is_stopped(change: Contribution, system: str) -> bool:
    """Whether a rating that does not fall below 0 has reached it: K says no longer what a surprise costs."""
    row = change.change
    return system == "frags" and row.match_id is not None and row.value_after == 0


def _say_nothing(change: Contribution, seat: Seat) -> list[str]:
    return []


def _say_k(change: Contribution, seat: Seat) -> list[str]:
    status = belief_before(change.change).status
    other = change.opponent.status if change.opponent else None
    told = []
    if status == Status.NEW:
        told.append(_("This is the K for new players."))
    elif status == Status.PROVISIONAL:
        told.append(_("This is the K for provisional players."))
    elif other is not None and other != Status.ESTABLISHED:
        told.append(_("This is the K against an opponent whose rating is provisional."))
    moves_first = status is not None and other is not None and other < status
    if moves_first and round(change.expected, 2) != round(change.forecast, 2):
        told.append(
            _(
                "The opponent's rating, which is less settled, moved first: against its new value %(expected)s was to "
                "be expected, while the ratings before the match said %(forecast)s."
            )
        )
    return told


def _say_deviations(change: Contribution, seat: Seat) -> list[str]:
    if change.opponent is None or change.opponent.deviation is None:
        return []
    told = [
        _(
            "The less certain a player's own rating (%(before)s), the larger the weight; the "
            "less certain the opponent's (%(other)s), the smaller."
        )
    ]
    if round(change.expected, 2) != round(change.forecast, 2):
        told.append(
            _(
                "What was expected here takes the uncertainty of the opponent alone into account; with the "
                "uncertainty of both, the forecast was %(forecast)s."
            )
        )
    return told


def _say_uncertainty(change: Contribution, seat: Seat) -> list[str]:
    row, told = change.change, []
    if row.match_id is not None and row.deviation_after is not None:
        told.append(_("The uncertainty of the skill went from %(before)s to %(after)s."))
    if seat.share < 1:
        told.append(
            _(
                "%(name)s was there for %(share)s of the match, which makes the change %(learned)s of a full one."
            )
        )
    if seat.team_size > 1:
        told.append(
            _(
                "In a team, the skills of its members are added up; the least certain one moves most."
            )
        )
    if seat.teams > 2:
        told.append(
            _("Everyone is compared with those next to them in the final order.")
            if seat.team_size == 1
            else _("Each team is compared with those next to it in the final order.")
        )
    return told


def _say_minutes(change: Contribution, seat: Seat) -> list[str]:
    if not seat.participant.minutes or seat.participant.score is None:
        return []
    return [
        _(
            "In %(minutes)s minutes that was %(hourly)s points an hour, compared with each opponent over the minutes "
            "that both played: the longer, the more it counts."
        )
    ]


def _say_floor(change: Contribution, seat: Seat) -> list[str]:
    if _is_stopped(change, "frags"):
        return [_("A rating of this kind never falls below 0.")]
    return []


_WORTH: Mapping[str, Callable[[Contribution, Seat], list[str]]] = {
    "elo": _say_k,
    "glicko": _say_deviations,
    "glicko2": _say_deviations,
    "trueskill": _say_uncertainty,
    "zonestats": _say_minutes,
    "frags": _say_floor,
}
