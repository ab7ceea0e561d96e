"""The shape of a ladder's matches: how many teams meet, and how many players each has."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

__all__ = ["MatchShape"]


@dataclass(frozen=True, slots=True)
class MatchShape:
    """From `fewest_teams` to `team_count` teams, each of `smallest_team` to `team_size` players."""

    team_count: int
    team_size: int
    fewest_teams: int
    smallest_team: int

    @classmethod
    def exactly(cls, team_count: int, team_size: int) -> "MatchShape":
        """Always as many teams, of as many players."""
        return cls(team_count, team_size, team_count, team_size)

    @property
    def is_exact(self) -> bool:
        """Whether all matches have the same."""
        return (self.fewest_teams, self.smallest_team) == (self.team_count, self.team_size)

    @property
    def most_players(self) -> int:
        """Players of the largest match."""
        return self.team_count * self.team_size

    def fits(self, sizes: Sequence[int]) -> bool:
        """Whether a match may have teams of so many players."""
        return self.fewest_teams <= len(sizes) <= self.team_count and all(
            self.smallest_team <= size <= self.team_size for size in sizes
        )

    def __str__(self) -> str:
        """In words: "2 teams of 3", "2 to 4 teams of 1 to 16"."""
        words = {
            "teams": _span(self.fewest_teams, self.team_count),
            "size": _span(self.smallest_team, self.team_size),
        }
        return _("%(teams)s teams of %(size)s") % words


def _span(least: int, most: int) -> str:
    if least == most:
        return str(most)
    return _("%(least)d to %(most)d") % {"least": least, "most": most}
