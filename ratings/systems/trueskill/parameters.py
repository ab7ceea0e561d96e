"""What an operator may tune of TrueSkill."""

from dataclasses import dataclass

from ratings.systems.parameters import ParameterError, ParameterSet, number, whole
from ratings.systems.parameters import gettext_noop as _

__all__ = ["TrueSkillParameters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueSkillParameters(ParameterSet):
    """The usual scale: 25 to start, give or take a third of it."""

    start: float = number(
        25.0,
        0.0,
        100_000.0,
        unit=_("points"),
        label=_("Start rating"),
        help=_("The rating of a player who has not played yet."),
    )
    deviation_start: float = number(
        25.0 / 3,
        0.001,
        10_000.0,
        unit=_("points"),
        label=_("Start deviation"),
        help=_("How uncertain the rating of a new player is, as one standard deviation."),
    )
    beta: float = number(
        25.0 / 6,
        0.001,
        10_000.0,
        unit=_("points"),
        label=_("Spread of performance"),
        help=_("How much one player's performance differs from game to game."),
    )
    tau: float = number(
        25.0 / 300,
        0.0,
        1000.0,
        unit=_("points"),
        label=_("Growth of the deviation per game"),
        help=_(
            "How far skill is thought to drift from game to game, so that ratings stay movable."
        ),
    )
    draw_probability: float = number(
        0.10,
        0.0,
        0.999999,
        label=_("Share of draws"),
        help=_("The share of games between equals that end in a draw."),
    )
    deviation_min: float = number(
        0.01,
        0.0,
        10_000.0,
        unit=_("points"),
        label=_("Smallest deviation"),
        help=_("No rating becomes more certain than this, so that it can still move."),
    )
    growth: float = number(
        0.0,
        0.0,
        10_000.0,
        unit=_("points per √period"),
        label=_("Growth of the deviation"),
        help=_("How fast a rating becomes uncertain while its player rests."),
    )
    established_after: int = whole(
        30,
        1,
        10_000,
        unit=_("games"),
        label=_("Established after"),
        help=_("The number of counted games after which a player can be established."),
    )
    provisional_deviation: float = number(
        2.5,
        0.001,
        10_000.0,
        unit=_("points"),
        label=_("Provisional above"),
        help=_(
            "A player whose deviation is above this is provisional, however many games were played."
        ),
    )

    def check_together(self) -> None:
        """A new player must be less certain than anybody may become."""
        low, high = self.deviation_min, self.deviation_start
        if not low < high:
            expected = _("must be above %(lower)s, which is %(low)s")
            raise ParameterError("deviation_start", high, expected, lower="deviation_min", low=low)
