"""Contests of teams of any size, and players of every status."""

from hypothesis import strategies as st

from ratings.systems import Contests
from tests.ratings.systems.teams import as_contests, fixtures

__all__ = ["contests"]


@st.composite
def contests(draw: st.DrawFn, players: int, *, most: int = 8, ties: bool = True) -> Contests:
    """Up to so many contests among some of `players`; everybody was there for some share of each."""
    return as_contests(draw(st.lists(fixtures(players, ties=ties), min_size=1, max_size=most)))
