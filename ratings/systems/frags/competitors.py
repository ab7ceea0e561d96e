"""Who is rated by a stream: each player, each clan, or each player in each role."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ratings.systems.frags.frag import Side

__all__ = ["Competitor", "Rated", "by_clan", "by_player", "by_role"]


class Competitor(NamedTuple):
    """Whoever has a rating: a player, a clan, or a player in a role."""

    name: str
    role: str = ""
    is_clan: bool = False


Rated: TypeAlias = Callable[[Side], Competitor]


def by_player(side: Side) -> Competitor:
    """Each player alone."""
    return Competitor(side.name)


def by_clan(side: Side) -> Competitor:
    """A clan is one virtual player; whoever is in none is a player alone."""
    return Competitor(side.name) if side.clan is None else Competitor(side.clan, is_clan=True)


def by_role(side: Side) -> Competitor:
    """A rating for each role that a player takes."""
    return Competitor(side.name, side.role or "")
