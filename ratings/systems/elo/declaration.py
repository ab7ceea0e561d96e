"""Elo as the site sees it."""

from collections.abc import Iterable

from ratings.systems.declaration import Declaration
from ratings.systems.elo.parameters import EloParameters
from ratings.systems.explanation import MatchChange, Sentence, explain_teams
from ratings.systems.parameters import gettext_noop as _
from ratings.systems.state import Status

__all__ = ["ELO"]


def explain_k(change: MatchChange) -> Iterable[Sentence]:
    """Whose K it was, and against which ratings of the opponents something was expected."""
    yield from explain_teams(change)
    own, other = change.status, change.opponent_status
    if own == Status.NEW:
        yield Sentence(_("This is the K for new players."))
    elif own == Status.PROVISIONAL:
        yield Sentence(_("This is the K for provisional players."))
    elif other is not None and other != Status.ESTABLISHED:
        yield Sentence(_("This is the K against an opponent whose rating is provisional."))
    is_late = own is not None and own != Status.NEW and change.opponents > 1
    if is_late and round(change.expected, 2) != round(change.forecast, 2):
        yield Sentence(
            _(
                "Those whose ratings are less settled moved first: against their new values %(expected)s was to be "
                "expected, while the ratings before the match said %(forecast)s."
            )
        )
    moves_first = own is not None and other is not None and other < own
    if moves_first and round(change.expected, 2) != round(change.forecast, 2):
        yield Sentence(
            _(
                "The opponent's rating, which is less settled, moved first: against its new value %(expected)s was to "
                "be expected, while the ratings before the match said %(forecast)s."
            )
        )


ELO = Declaration(
    name="elo",
    title="Elo",
    purpose=_(
        "One against one above all, where a rating shall move after every game. Everybody knows it and "
        "can check a change by hand; it does not say how certain a rating is. Of teams, each plays against "
        "every other one."
    ),
    parameters=EloParameters,
    takes_teams=True,
    has_stages=True,
    spread_parameter="class_interval",
    scale_parameter="class_interval",
    class_interval_parameter="class_interval",
    given="inflation",
    tuned=("k_established", "k_provisional", "k_new"),
    tuned_with_sides=("side_gamma",),
    tuned_with_draws=("draw_nu",),
    weight_symbol="K",
    explain_worth=explain_k,
)
