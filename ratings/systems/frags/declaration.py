"""The shooter ladder as the site sees it."""

from collections.abc import Iterable

from ratings.systems import explanation
from ratings.systems.declaration import Declaration
from ratings.systems.explanation import MatchChange, Sentence
from ratings.systems.frags.parameters import FragsParameters
from ratings.systems.parameters import gettext_noop as _

__all__ = ["FRAGS"]

# Rating points: less is rounding.
_NOTICED = 0.05


def tell_share(change: MatchChange) -> str:
    """The frags, not who won, are what was rated."""
    if change.is_duel or change.by_events:
        return _("%(name)s was expected to score %(expected)s of the frags and scored %(actual)s.")
    return explanation.tell_outcome(change)


def explain_worth(change: MatchChange) -> Iterable[Sentence]:
    """That every frag was rated by itself, and what the floor did."""
    if change.by_events:
        yield Sentence(
            _(
                "Every frag was rated by itself, against the ratings of that moment: expected and scored are the means "
                "of them all, and the weight is K for each, suicides included, and more for a capture."
            )
        )
    if FRAGS.is_at_floor(change):
        yield Sentence(_("A rating of this kind never falls below 0."))
    elif change.by_events and change.passed_over >= _NOTICED:
        yield Sentence(
            _(
                "On the way the rating stood at 0, below which it never falls: %(kept)s points of losses were not "
                "taken."
            )
        )


FRAGS = Declaration(
    name="frags",
    title=_("Frags"),
    purpose=_(
        "Shooter duels where the frags matter, not only who won: every match needs both scores."
    ),
    parameters=FragsParameters,
    rates_events=True,
    needs=("points",),
    spread_parameter="scale",
    floor=0.0,
    taken="decay",
    tuned=("k", "scale"),
    weight_symbol="K",
    comparison_note=_(
        "Frags predicts shares of the frags, not who wins: only its accuracy compares with the other systems."
    ),
    expected_of_two=_("The share of the frags expected before the match, from both ratings."),
    tell_outcome=tell_share,
    explain_worth=explain_worth,
)
