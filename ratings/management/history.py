"""The matches of a ladder as games to be foreseen, in memory: nothing is written."""

from collections.abc import Mapping

from ratings.evaluation import Played
from ratings.models import Ladder
from ratings.runs.duels import DuelMatches
from ratings.runs.load import load_matches
from ratings.runs.players import distinct
from ratings.runs.shape import shape_of
from ratings.systems import Duels, System, Value

__all__ = ["played_of", "rules_of"]


def played_of(ladder: Ladder, system: System) -> Played:
    """Read the confirmed matches of a ladder, in its sequence, that a system can rate.

    Raises UnratableMatchError naming the first that has not the shape of the ladder.
    """
    shape = shape_of(ladder, system)
    matches = load_matches(ladder.pk, after=0, last=ladder.last_seq, shape=shape)
    players = distinct(matches.players)
    seated = matches.seated(players)
    names = [str(pk) for pk in players.tolist()]
    if isinstance(seated, DuelMatches):
        duels = Duels(seated.first, seated.second, seated.score, seated.side, seated.points)
        return Played(seated.counts_at, duels, names)
    return Played(seated.counts_at, seated.contests(seated.player), names)


def rules_of(ladder: Ladder) -> Mapping[str, Value]:
    """The rules of a ladder that enter the calculation."""
    return {
        "days_to_forget": ladder.days_to_forget,
        "established_after": ladder.established_after,
        "pool_minimum": ladder.pool_minimum,
    }
