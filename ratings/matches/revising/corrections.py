"""What a corrected match said before, as its page reads it."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

from ratings.matches.summary import Team, teams_of
from ratings.models import Correction, Match, Participant, RatingTrack
from ratings.tracks.parameters import replay_of

__all__ = ["PastResult", "awaits_replay", "corrections_of"]


@dataclass(frozen=True, slots=True)
class PastResult:
    """A correction, and the teams as the match said before it: the best first, two in their order."""

    correction: Correction
    teams: list[Team]

    @property
    def has_scores(self) -> bool:
        """Whether a score stood there."""
        return any(one.score is not None for team in self.teams for one in team.members)

    @property
    def has_minutes(self) -> bool:
        """Whether somebody's time stood there."""
        return any(one.minutes is not None for team in self.teams for one in team.members)


def corrections_of(match: Match) -> list[PastResult]:
    """The corrections of a match that was read by `with_people`, the newest first. Two queries of a corrected one."""
    if match.corrected_at is None:
        return []
    found, participants = [], list(match.participants.all())
    made = match.corrections.select_related("by").order_by("-number")
    for correction in made.prefetch_related("earlier"):
        earlier = {one.participant_id: one for one in correction.earlier.all()}
        people = [copy(one) for one in participants if one.pk in earlier]
        for one in people:
            said = earlier[one.pk]
            one.rank, one.score, one.minutes = said.rank, said.score, said.minutes
        teams = teams_of(people, Match())
        if len(teams) > 2:
            teams.sort(key=lambda team: team.rank or 0)
        found.append(PastResult(correction, teams))
    return found


def awaits_replay(match: Match, people: Iterable[Participant], track: RatingTrack) -> bool:
    """Whether what a track says of the match may be from before its correction, or before one of its participants was
    merged: until its replay is done.
    """
    is_another = match.corrected_at is not None or any(one.reported_as_id for one in people)
    return is_another and replay_of(track) is not None
