"""What an operator may tune of Elo."""

from dataclasses import dataclass

import ratings.systems.usual_parameters as usual
from ratings.systems.elo.curve import Curve
from ratings.systems.parameters import (
    Group,
    ParameterSet,
    choice,
    number,
    switch,
    whole,
)
from ratings.systems.parameters import gettext_noop as _

__all__ = ["EloParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EloParameters(ParameterSet):
    """Defaults: a mixed pool with short periods, as online games have."""

    start: float = usual.start_rating(1500.0)
    floor: float = usual.lowest_rating()
    class_interval: float = number(
        200.0,
        1.0,
        10_000.0,
        unit=_("points"),
        group=Group.START,
        label=_("Class interval"),
        help=_("The spread of the scale: twice this many points ahead means ten wins to one loss."),
    )
    k_new: float = number(
        50.0,
        0.0,
        1000.0,
        unit=_("points"),
        group=Group.K,
        label=_("K of new players"),
        help=_("The most points a new player can win or lose in a game."),
    )
    k_provisional: float = number(
        40.0,
        0.0,
        1000.0,
        unit=_("points"),
        group=Group.K,
        label=_("K of provisional players"),
        help=_("The most points a provisional player can win or lose in a game."),
    )
    k_established: float = number(
        32.0,
        0.0,
        1000.0,
        unit=_("points"),
        group=Group.K,
        label=_("K of established players"),
        help=_("The most points an established player can win or lose in a game."),
    )
    halve_against_provisional: bool = switch(
        True,
        group=Group.K,
        label=_("Halve K against uncertain opponents"),
        help=_("Halves an established player's K when the opponent is new or provisional."),
    )
    established_after: int = usual.established_after()
    k_by_rating: str = choice(
        "none",
        "none",
        "step",
        "edges",
        group=Group.K_BY_RATING,
        label=_("K by rating"),
        help=_(
            "“step” lowers K for high ratings; “edges” lowers it towards both ends of the scale."
        ),
    )
    step_lower: float = number(
        2100.0,
        0.0,
        100_000.0,
        unit=_("points"),
        group=Group.K_BY_RATING,
        label=_("First step"),
        help=_("From this rating on, “step” uses the middle share of K."),
    )
    step_upper: float = number(
        2400.0,
        0.0,
        100_000.0,
        unit=_("points"),
        group=Group.K_BY_RATING,
        label=_("Second step"),
        help=_("From this rating on, “step” uses the high share of K."),
    )
    step_middle_share: float = number(
        0.75,
        0.0,
        1.0,
        group=Group.K_BY_RATING,
        label=_("Middle share of K"),
        help=_("The share of K between the two steps."),
    )
    step_high_share: float = number(
        0.5,
        0.0,
        1.0,
        group=Group.K_BY_RATING,
        label=_("High share of K"),
        help=_("The share of K above the second step."),
    )
    edge_lower: float = number(
        500.0,
        0.0,
        100_000.0,
        unit=_("points"),
        group=Group.K_BY_RATING,
        label=_("Lower edge"),
        help=_("The rating at which “edges” reaches its smallest share of K, at the low end."),
    )
    edge_upper: float = number(
        2500.0,
        0.0,
        100_000.0,
        unit=_("points"),
        group=Group.K_BY_RATING,
        label=_("Upper edge"),
        help=_("The rating at which “edges” reaches its smallest share of K, at the high end."),
    )
    edge_share: float = number(
        0.25,
        0.0,
        1.0,
        group=Group.K_BY_RATING,
        label=_("Share of K at the edges"),
        help=_("The share of K that “edges” leaves at and beyond both edges."),
    )
    inflation: float = number(
        0.0,
        0.0,
        100.0,
        unit=_("points"),
        group=Group.DRIFT,
        label=_("Inflation"),
        help=_(
            "Points given to everybody, whether they play or not, because the level of play rises: at the end of each"
            " rating period, without periods on the dates of the ladder."
        ),
    )

    draw_nu: float = number(
        0.0,
        0.0,
        100.0,
        step=0.3,
        group=Group.SIDES_AND_DRAWS,
        label=_("Weight of draws"),
        help=_(
            "ν of Davidson: 0 takes a draw for half a win; 1 expects as many draws as wins and "
            "losses of one side between equals."
        ),
    )
    side_gamma: float = number(
        1.0,
        0.01,
        100.0,
        group=Group.SIDES_AND_DRAWS,
        label=_("Weight of sides"),
        help=_(
            "γ of Davidson and Beaver: below 1 favours the better side; 1 takes no notice of sides."
        ),
    )
    placement_games: int = whole(
        0,
        0,
        1000,
        unit=_("games"),
        label=_("Placement games"),
        help=_(
            "On a ladder rated by period, a new player with so many games against rated players "
            "starts at the performance they show; 0 is off."
        ),
    )

    @property
    def curve(self) -> Curve:
        """What these parameters expect of a game."""
        return Curve.of(self.class_interval, self.draw_nu, self.side_gamma)

    def check_together(self) -> None:
        """Nobody starts below the floor, and the second of two thresholds lies above the first."""
        self.check_not_below("floor", "start")
        for lower, upper in (("step_lower", "step_upper"), ("edge_lower", "edge_upper")):
            self.check_rising(lower, upper)
