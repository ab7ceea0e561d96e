"""The shooter ladder as the site sees it."""

from collections.abc import Iterable

from ratings.systems import explanation
from ratings.systems.declaration import Declaration
from ratings.systems.explanation import MatchChange, Sentence
from ratings.systems.frags.parameters import FragsParameters
from ratings.systems.parameters import gettext_noop as _

__all__ = ["FRAGS"]


def tell_share(change: MatchChange) -> str:
    """The frags, not who won, are what was rated."""
    if change.is_duel:
        return _("%(name)s was expected to score %(expected)s of the frags and scored %(actual)s.")
    return explanation.tell_outcome(change)


def explain_floor(change: MatchChange) -> Iterable[Sentence]:
    """That the rating could fall no further."""
    if FRAGS.is_at_floor(change):
        yield Sentence(_("A rating of this kind never falls below 0."))


FRAGS = Declaration(
    name="frags",
    title=_("Frags"),
    purpose=_(
        "Shooter duels where the frags matter, not only who won: every match needs both scores."
    ),
    parameters=FragsParameters,
    needs=("points",),
    spread_parameter="scale",
    floor=0.0,
    paid_by_period=("decay",),
    tuned=("k", "scale"),
    weight_symbol="K",
    comparison_note=_(
        "Frags predicts shares of the frags, not who wins: only its accuracy compares with the other systems."
    ),
    expected_of_two=_("The share of the frags expected before the match, from both ratings."),
    tell_outcome=tell_share,
    explain_worth=explain_floor,
)
