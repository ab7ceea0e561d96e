"""Why a match changed a rating, as sentences with gaps: whoever shows them translates them and fills in the figures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ratings.systems.parameters import gettext_noop as _

__all__ = [
    "MatchChange",
    "Sentence",
    "explain_deviations",
    "explain_nothing",
    "explain_teams",
    "tell_outcome",
    "tell_surprise",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchChange:
    """What one match did to the rating of one player, and how they took part.

    expected, actual  0..1, the score that the calculation expected, and the one reached
    forecast          0..1, the score expected by all ratings before the match
    weight, points    rating points: what a full surprise is worth, and how far the rating moved
    decimals          in which the ratings of the track are shown
    status, opponent_status
                      `Status` before the match; None where it is not known, or there is no one opponent
    opponent_deviation
                      rating points; None without a deviation, or without one opponent
    is_alone          whether the figures below are of this match alone, not of a period with several
    value_after, deviation_after
                      rating points after it
    teams, team_size  how many teams met, and how many players the player's own had
    opponents         how many players the other teams had together
    share             0..1, of the longest time that anybody took part; 1 where times are not all known
    minutes, score    the player's own; None where they are not known
    by_events         whether every frag was rated by itself: `expected` and `actual` are means by the weight of each
                      event, `weight` is that of all
    """

    expected: float
    actual: float
    forecast: float
    weight: float
    points: float
    decimals: int
    status: int | None
    opponent_status: int | None
    opponent_deviation: float | None
    is_alone: bool
    value_after: float | None
    deviation_after: float | None
    teams: int
    team_size: int
    opponents: int
    share: float
    minutes: float | None
    score: float | None
    by_events: bool = False

    @property
    def passed_over(self) -> float:
        """Rating points by which the rating moved otherwise than by weight · (actual - expected)."""
        return self.points - self.weight * (self.actual - self.expected)

    @property
    def is_duel(self) -> bool:
        """One against one."""
        return self.teams == 2 and self.team_size == 1


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text marked for translation; `shares`, 0..1, fill gaps of its own that no other system has.

    The figures of a match are there for every sentence: name, expected, forecast, actual, gap, weight, symbol,
    points, kept (what the floor kept), place, teams, minutes, share (of the time), hourly (points an hour), and the
    deviations before, after and other (of the opponent).
    """

    text: str
    shares: Mapping[str, float] = field(default_factory=dict)


def tell_outcome(change: MatchChange) -> str:
    """What was expected of the player, or the team, and how it ended."""
    if change.teams > 2:
        return _(
            "Against the others, %(name)s was expected to score %(expected)s on "
            "average, and scored %(actual)s by finishing %(place)s of %(teams)s."
        )
    is_single = change.team_size == 1
    if change.actual == 1:
        if is_single:
            return _("%(name)s was expected to score %(expected)s and won.")
        return _("%(name)s's team was expected to score %(expected)s and won.")
    if change.actual == 0:
        if is_single:
            return _("%(name)s was expected to score %(expected)s and lost.")
        return _("%(name)s's team was expected to score %(expected)s and lost.")
    if change.actual == 0.5:
        if is_single:
            return _("%(name)s was expected to score %(expected)s and drew.")
        return _("%(name)s's team was expected to score %(expected)s and drew.")
    if is_single:
        return _("%(name)s was expected to score %(expected)s and scored %(actual)s.")
    return _("%(name)s's team was expected to score %(expected)s and scored %(actual)s.")


def tell_surprise(change: MatchChange, *, has_symbol: bool, is_at_floor: bool) -> str:
    """What the difference was worth; the points follow the sign of what they did.

    At the floor of its ratings the weight says no longer what a surprise costs.
    """
    gap = change.actual - change.expected
    if is_at_floor:
        if round(abs(change.points), change.decimals + 1):
            return _(
                "That is %(gap)s less than expected and costs the remaining %(points)s points."
            )
        return _("That is %(gap)s less than expected.")
    if gap > 0 and change.points >= 0:
        if has_symbol:
            return _(
                "That is %(gap)s more than expected and, with %(symbol)s = "
                "%(weight)s, earns %(points)s points."
            )
        return _(
            "That is %(gap)s more than expected and, with a weight of %(weight)s, "
            "earns %(points)s points."
        )
    if gap < 0 and change.points <= 0:
        if has_symbol:
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


def explain_nothing(change: MatchChange) -> Iterable[Sentence]:
    """Nothing beyond what every system says."""
    return ()


def explain_teams(change: MatchChange) -> Iterable[Sentence]:
    """What teams, and more than two of them, do where each team plays against every other one."""
    if change.team_size > 1:
        yield Sentence(
            _(
                "A team plays with the mean of its members' ratings, and each member is moved by a weight of their own."
            )
        )
    if change.teams > 2:
        yield Sentence(
            _(
                "Everyone is compared with each of the others, and all of that together counts as one game."
            )
            if change.team_size == 1
            else _(
                "Each team is compared with each of the others, and all of that together counts as one game."
            )
        )


def explain_deviations(change: MatchChange) -> Iterable[Sentence]:
    """What the deviations of both did to the weight and the expectation, as in Glicko."""
    yield from explain_teams(change)
    if change.opponents > 1:
        yield from _explain_several(change)
    if change.opponent_deviation is None:
        return
    yield Sentence(
        _(
            "The less certain a player's own rating (%(before)s), the larger the weight; the "
            "less certain the opponent's (%(other)s), the smaller."
        )
    )
    if round(change.expected, 2) != round(change.forecast, 2):
        yield Sentence(
            _(
                "What was expected here takes the uncertainty of the opponent alone into account; with the "
                "uncertainty of both, the forecast was %(forecast)s."
            )
        )


def _explain_several(change: MatchChange) -> Iterable[Sentence]:
    """The same where the opponents are several."""
    yield Sentence(
        _(
            "The less certain a player's own rating (%(before)s), the larger the weight; the "
            "less certain those of the opponents, the smaller."
        )
    )
    if round(change.expected, 2) != round(change.forecast, 2):
        yield Sentence(
            _(
                "What was expected here takes the uncertainty of the opponents alone into account; with the "
                "uncertainty of everybody, the forecast was %(forecast)s."
            )
        )
