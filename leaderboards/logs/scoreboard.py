"""The scoreboard of a match that a server tells, from what a track has counted of it. Two queries at most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ratings.matches.summary import MatchSummary, Team
from ratings.models import (
    Facet,
    LogTally,
    MatchLog,
    MatchState,
    Participant,
    Player,
    RatingTrack,
    TrackState,
)

__all__ = ["Scoreboard", "ScoreboardRow", "ScoreboardTeam", "read_scoreboard", "team_name"]

# Which counts are shown where players see no track: all tracks of a ladder count the same. One that is computed anew
# may not have come so far.
_STATES = (TrackState.LIVE, TrackState.RETIRED, TrackState.REPLAY)


@dataclass(frozen=True, slots=True)
class ScoreboardRow:
    """One player. `tally` is None where nothing was counted; `points`, of ratings, where these may not be shown."""

    participant: Participant
    tally: LogTally | None
    points: float | None
    streak: int
    is_gone: bool

    @property
    def player(self) -> Player:
        """Who it is."""
        return self.participant.player

    @property
    def minutes(self) -> float | None:
        """How long the player took part; known when the match is over."""
        return self.participant.minutes

    @property
    def frags(self) -> int:
        """Frags that counted."""
        return self.tally.frags if self.tally else 0

    @property
    def deaths(self) -> int:
        """How often the player was fragged."""
        return self.tally.deaths if self.tally else 0

    @property
    def suicides(self) -> int:
        """Deaths without anybody else's doing."""
        return self.tally.suicides if self.tally else 0

    @property
    def team_kills(self) -> int:
        """Mates killed."""
        return self.tally.team_kills if self.tally else 0

    @property
    def goals(self) -> int:
        """Captures, and what else scored."""
        return self.tally.goals if self.tally else 0

    def order(self) -> tuple[float, int, int, str]:
        """The best first."""
        return -(self.participant.score or 0.0), -self.frags, self.deaths, self.player.name


@dataclass(frozen=True, slots=True)
class ScoreboardTeam:
    """A team with its name, or with an empty one all players of a match without teams. `score`: None before its end."""

    name: str
    score: float | None
    is_winner: bool
    rows: Sequence[ScoreboardRow]

    @property
    def frags(self) -> int:
        """Of all together."""
        return sum(row.frags for row in self.rows)


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """Teams, the best first, and which columns have something to show."""

    teams: Sequence[ScoreboardTeam]
    is_counted: bool
    has_points: bool
    has_suicides: bool
    has_team_kills: bool
    has_goals: bool
    has_scores: bool
    has_minutes: bool

    @property
    def rows(self) -> list[ScoreboardRow]:
        """Everybody."""
        return [row for team in self.teams for row in team.rows]


def team_name(side: str) -> str:
    """The name of a team by its place in `MatchLog.sides`; empty for a player without one."""
    return side[1:] if side.startswith("=") else ""


def read_scoreboard(
    log: MatchLog, summary: MatchSummary, *, streaks: Mapping[int, int], gone: frozenset[int]
) -> Scoreboard:
    """Read the scoreboard of a match that was read by `with_people`; of `summary.track` the points are shown."""
    match, shown = summary.match, summary.track
    tracks = _tracks(match.ladder_id)
    by_track: dict[int, dict[int, LogTally]] = {}
    for tally in LogTally.objects.filter(match=match, track__in=tracks):
        by_track.setdefault(tally.track_id, {})[tally.player_id] = tally
    chosen = next((pk for pk in tracks if pk in by_track), None)
    tallies = by_track.get(chosen or 0, {})
    has_points = (
        shown is not None and chosen == shown.pk and match.state != MatchState.ANNULLED
    ) and any(tally.weight for tally in tallies.values())

    def row_of(one: Participant) -> ScoreboardRow:
        tally = tallies.get(one.player_id)
        points = tally.points if tally and tally.weight else None
        return ScoreboardRow(
            participant=one,
            tally=tally,
            points=points if has_points else None,
            streak=streaks.get(one.player_id, 0),
            is_gone=one.player_id in gone,
        )

    is_over = match.state == MatchState.CONFIRMED
    names = {team.number: _name(log, team) for team in summary.teams}
    if not any(names.values()):
        rows = sorted(map(row_of, summary.people), key=ScoreboardRow.order)
        teams = [ScoreboardTeam("", None, is_winner=False, rows=rows)]
    else:
        is_drawn = [team.rank for team in summary.teams].count(0) > 1
        teams = [
            ScoreboardTeam(
                name=names[team.number],
                score=team.score if is_over else None,
                is_winner=team.rank == 0 and not is_drawn,
                rows=sorted(map(row_of, team.members), key=ScoreboardRow.order),
            )
            for team in summary.teams
        ]
        teams.sort(key=lambda team: (-(team.score or 0.0), -team.frags, team.name))
    everybody = [row for team in teams for row in team.rows]
    return Scoreboard(
        teams,
        is_counted=bool(tallies),
        has_points=has_points,
        has_suicides=any(row.suicides for row in everybody),
        has_team_kills=any(row.team_kills for row in everybody),
        has_goals=any(row.goals for row in everybody),
        has_scores=any(row.participant.score is not None for row in everybody),
        has_minutes=any(row.minutes is not None for row in everybody),
    )


def _tracks(ladder: int) -> list[int]:
    """Tracks of a ladder as a whole by their ids, the one that players see first."""
    found = RatingTrack.objects.filter(ladder=ladder, facet=Facet.NONE).order_by("-pk")
    ordered = sorted(
        found.only("shown", "state"), key=lambda it: (not it.shown, _STATES.index(it.state))
    )
    return [track.pk for track in ordered]


def _name(log: MatchLog, team: Team) -> str:
    return team_name(log.sides[team.number]) if team.number < len(log.sides) else ""
