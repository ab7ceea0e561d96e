"""What the site needs to know of a rating system: each declares it once, in a folder of its own."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ratings.systems.explanation import (
    MatchChange,
    Sentence,
    explain_nothing,
    tell_outcome,
    tell_surprise,
)
from ratings.systems.parameters import ParameterSet
from ratings.systems.parameters import gettext_noop as _

__all__ = ["Declaration", "Forgetting"]

_START = "deviation_start"
# Rating points: less is rounding.
_NOTICED = 0.05


@dataclass(frozen=True, slots=True)
class Forgetting:
    """A parameter that follows from the days to forget of the ladder, unless it is given.

    `compute` takes days_to_forget, period_days and deviation_start.
    """

    parameter: str
    compute: Callable[..., float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A rating system beside its mathematics. Texts are marked for translation; whoever shows them translates them.

    Which results it rates, from `is_period` to `grows_in_play`, is told where `System` has the same names. With
    `has_stages` those who are less established move first, and others are measured against what they come to.

    Its scale; the first three are names of its parameters, each a number of rating points:

    spread_parameter
                    by about how many points ratings differ; the decimals shown follow from it
    scale_parameter what stands for 256 points, for boards that count in steps; "" where 256 points are just that
    class_interval_parameter
                    how wide a class (Elo's C) is on the logistic curve by which performances are computed; "": no curve
    floor           the rating points that no rating falls below, where no parameter `floor` says them; None where there
                    is no such limit

    What leaderboards can be ordered by:

    conservative_deviations
                    how many deviations below its rating a player's conservative rating is; 0: it has none
    is_conservative whether new leaderboards are ordered by that, unless the operator chooses otherwise

    Its parameters:

    paid_by_period  those that mean something by the period alone; without periods they must be 0
    taken, given    the points that time takes from everybody, or gives, on each date on which it is due; "" for none
    forgetting      the one that follows from the ladder's days to forget
    tuned           those that usually decide how well it predicts, the strongest first
    tuned_with_sides, tuned_with_draws
                    those that matter where games have sides, or draws

    Its words:

    title           its name on pages
    purpose         for which games it is, and what one gets and owes, in a sentence or two, for whoever chooses
    weight_symbol   what its formula calls the weight; "" where it has no name for it
    comparison_note what to mind when its predictions are compared with those of others; "" for nothing
    expected_of_two, expected_of_many
                    what the expected score of a match means, of two sides and of more
    tell_outcome    what was expected and how it ended
    explain_worth   why the change was worth so much, in the system's own terms
    """

    name: str
    title: str
    purpose: str
    parameters: type[ParameterSet]

    is_period: bool = False
    uses_deviation: bool = False
    takes_teams: bool = False
    rates_events: bool = False
    needs: tuple[str, ...] = ()
    grows_in_play: bool = False
    has_stages: bool = False

    spread_parameter: str
    scale_parameter: str = ""
    class_interval_parameter: str = ""
    floor: float | None = None
    conservative_deviations: float = 0.0
    is_conservative: bool = False

    paid_by_period: tuple[str, ...] = ()
    taken: str = ""
    given: str = ""
    forgetting: Forgetting | None = None
    tuned: tuple[str, ...]
    tuned_with_sides: tuple[str, ...] = ()
    tuned_with_draws: tuple[str, ...] = ()

    weight_symbol: str = ""
    comparison_note: str = ""
    expected_of_two: str = _(
        "The score expected before the match, from both ratings and, where it is known, their certainty: a win counts "
        "1, a draw ½."
    )
    expected_of_many: str = _(
        "Expected: the average score against each of the others, from everyone's rating and, where it is known, how "
        "certain it is. Finishing ahead of somebody counts 1, sharing a place ½."
    )
    tell_outcome: Callable[[MatchChange], str] = tell_outcome
    explain_worth: Callable[[MatchChange], Iterable[Sentence]] = explain_nothing

    def explain(self, change: MatchChange) -> list[Sentence]:
        """What was expected of the player, what came, what that was worth, and why so much."""
        surprise = tell_surprise(
            change,
            has_symbol=bool(self.weight_symbol) and not change.by_events,
            is_at_floor=self.is_at_floor(change),
        )
        told = [
            Sentence(self.tell_outcome(change)),
            Sentence(surprise),
            *self.explain_worth(change),
        ]
        if self.floor is None and self.is_at_floor(change):
            told.append(
                Sentence(_("This is the lowest rating that there is: nobody falls below it."))
            )
        return told

    def is_at_floor(self, change: MatchChange) -> bool:
        """Whether the match left a rating that can fall no further."""
        if not change.is_alone:
            return False
        if self.floor is not None:
            return change.value_after == self.floor
        return self.has_floor and change.points <= 0 and change.passed_over >= _NOTICED

    @property
    def has_floor(self) -> bool:
        """Whether a parameter says below what no rating falls."""
        return any(parameter.name == "floor" for parameter in self.parameters.described())

    def can_rate(self, teams: int, team_size: int) -> bool:
        """Whether it rates matches of so many teams of so many players."""
        return self.takes_teams or (teams, team_size) == (2, 1)

    def following(
        self, given: Mapping[str, Any], *, days_to_forget: float, period_days: float | None
    ) -> dict[str, float]:
        """The parameters that follow from the days to forget, beside those given; none without periods."""
        rule = self.forgetting
        if rule is None or rule.parameter in given or period_days is None:
            return {}
        default = next(p.default for p in self.parameters.described() if p.name == _START)
        value = rule.compute(
            days_to_forget=days_to_forget,
            period_days=period_days,
            deviation_start=float(given.get(_START, default)),
        )
        return {rule.parameter: value}
