"""ZoneStats as the site sees it."""

from collections.abc import Iterable

from ratings.systems.declaration import Declaration
from ratings.systems.explanation import MatchChange, Sentence
from ratings.systems.parameters import gettext_noop as _
from ratings.systems.zonestats.parameters import ZoneStatsParameters

__all__ = ["ZONESTATS"]


def tell_rate(change: MatchChange) -> str:
    """Neither places nor who won are rated, but who of two counted faster."""
    if change.is_duel:
        return _(
            "%(name)s was expected to score %(expected)s by points an hour and scored %(actual)s."
        )
    return _(
        "Against the others, %(name)s was expected to score %(expected)s on "
        "average, and scored %(actual)s by points an hour."
    )


def explain_minutes(change: MatchChange) -> Iterable[Sentence]:
    """How fast the player counted, and that the longer a match, the more it counts."""
    if change.minutes and change.score is not None:
        yield Sentence(
            _(
                "In %(minutes)s minutes that was %(hourly)s points an hour, compared with each opponent over the "
                "minutes that both played: the longer, the more it counts."
            )
        )


ZONESTATS = Declaration(
    name="zonestats",
    title="ZoneStats",
    purpose=_(
        "Servers that people join and leave at any time: it rates points an hour, so that every "
        "match needs the scores and minutes of everybody."
    ),
    parameters=ZoneStatsParameters,
    takes_teams=True,
    needs=("score", "minutes"),
    spread_parameter="spread",
    tuned=("spread", "game_mult"),
    expected_of_many=_(
        "Expected: the average score against each of the others, from everyone's rating. Scoring more points an hour "
        "than somebody counts 1, equally many ½."
    ),
    tell_outcome=tell_rate,
    explain_worth=explain_minutes,
)
