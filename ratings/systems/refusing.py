"""What systems say of results that they cannot rate."""

from typing import NoReturn

from ratings.systems.contests import Contests
from ratings.systems.results import Duels

__all__ = ["only_duels", "refuse_teams"]


def only_duels(results: Duels | Contests, *, system: str) -> Duels:
    """The results, if they are games of one against one; TypeError if not."""
    if isinstance(results, Contests):
        refuse_teams(system)
    return results


def refuse_teams(system: str) -> NoReturn:
    """Raise TypeError: the system rates games of one against one."""
    raise TypeError(f"{system} rates one against one: give it Duels, not Contests")
