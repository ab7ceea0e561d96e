"""How a match ended, as the people who played it would say it. Pure: nothing is read here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ratings.models import Participant

__all__ = ["DRAW", "LOSS", "WIN", "Facts", "Side", "facts_of", "sides_of"]

WIN, DRAW, LOSS = "win", "draw", "loss"
_ENDINGS = ("_a", "_b")


@dataclass(frozen=True, slots=True)
class Side:
    """One team of a match. `outcome` is None until there is a result; `score` is the game's own count."""

    team: int
    members: tuple[Participant, ...]
    outcome: str | None
    rank: int | None
    score: float | None

    @property
    def points(self) -> float | None:
        """What the result is worth: 1, 0.5 or 0."""
        return {WIN: 1.0, DRAW: 0.5, LOSS: 0.0}.get(self.outcome or "")


@dataclass(frozen=True, slots=True)
class Facts:
    """Columns that came with a match: those given for both sides, and the others."""

    paired: list[tuple[str, Any, Any]]
    single: list[tuple[str, Any]]


def sides_of(participants: Iterable[Participant], extra: Mapping[str, Any]) -> list[Side]:
    """The teams of a match in their order; `participants` in any order."""
    ordered = sorted(participants, key=lambda one: (one.team, one.pk))
    teams = [tuple(members) for _, members in groupby(ordered, key=lambda one: one.team)]
    ranks = [members[0].rank for members in teams]
    outcomes = [_outcome(rank, ranks) for rank in ranks]
    scores = _scores(teams, outcomes, extra)
    return [
        Side(members[0].team, members, outcome, members[0].rank, score)
        for members, outcome, score in zip(teams, outcomes, scores, strict=True)
    ]


def facts_of(extra: Mapping[str, Any]) -> Facts:
    """Sort the further columns of a match: `goals_a` and `goals_b` belong together."""
    stems = [key[:-2] for key in extra if key.endswith("_a") and f"{key[:-2]}_b" in extra]
    paired = [(_label(stem), *(extra[stem + end] for end in _ENDINGS)) for stem in stems]
    taken = {stem + end for stem in stems for end in _ENDINGS}
    single = [(_label(key), value) for key, value in extra.items() if key not in taken]
    return Facts(paired, single)


def _outcome(rank: int | None, ranks: Sequence[int | None]) -> str | None:
    known = [one for one in ranks if one is not None]
    if rank is None or len(known) < len(ranks):
        return None
    if rank > min(known):
        return LOSS
    return WIN if known.count(rank) == 1 else DRAW


def _scores(
    teams: Sequence[tuple[Participant, ...]],
    outcomes: Sequence[str | None],
    extra: Mapping[str, Any],
) -> list[float | None]:
    """Scores as reported; else a pair of columns that tells the same story as the result."""
    own = [members[0].score for members in teams]
    if len(teams) != 2 or None not in own:
        return own
    for _, first, second in facts_of(extra).paired:
        pair = [_figure(first), _figure(second)]
        if None not in pair and _agrees(pair, outcomes):
            return pair
    return own


def _agrees(pair: Sequence[float | None], outcomes: Sequence[str | None]) -> bool:
    first, second = (figure or 0.0 for figure in pair)
    told = DRAW if first == second else WIN if first > second else LOSS
    return outcomes[0] == told


def _figure(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _label(column: str) -> str:
    return column.replace("_", " ").strip() or column
