"""TrueSkill as the site sees it."""

from collections.abc import Iterable

from ratings.systems.declaration import Declaration
from ratings.systems.explanation import MatchChange, Sentence
from ratings.systems.parameters import gettext_noop as _
from ratings.systems.trueskill.parameters import TrueSkillParameters
from ratings.systems.trueskill.partial_play import LEAST_LEARNED

__all__ = ["TRUESKILL"]


def explain_uncertainty(change: MatchChange) -> Iterable[Sentence]:
    """What became of the deviation, and what a part of the match, a team and more than two teams do."""
    if change.is_alone and change.deviation_after is not None:
        yield Sentence(_("The uncertainty of the skill went from %(before)s to %(after)s."))
    if change.share < 1:
        yield Sentence(
            _(
                "%(name)s was there for %(share)s of the match, which makes the change %(learned)s of a full one."
            ),
            {"learned": max(change.share, LEAST_LEARNED)},
        )
    if change.team_size > 1:
        yield Sentence(
            _(
                "In a team, the skills of its members are added up; the least certain one moves most."
            )
        )
    if change.teams > 2:
        yield Sentence(
            _("Everyone is compared with those next to them in the final order.")
            if change.team_size == 1
            else _("Each team is compared with those next to it in the final order.")
        )


TRUESKILL = Declaration(
    name="trueskill",
    title="TrueSkill",
    purpose=_(
        "Teams of any size, and everybody for themselves: one rating a person, whatever the "
        "teams. It says how certain a rating is, and can move after every game."
    ),
    parameters=TrueSkillParameters,
    uses_deviation=True,
    takes_teams=True,
    spread_parameter="deviation_start",
    conservative_deviations=3.0,
    is_conservative=True,
    scale_parameter="deviation_start",
    paid_by_period=("growth",),
    tuned=("beta", "tau"),
    tuned_with_draws=("draw_probability",),
    explain_worth=explain_uncertainty,
)
