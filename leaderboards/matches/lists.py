"""Matches as lines of a list: who played, how it ended, what it did to the ratings."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BigIntegerField, Func, OuterRef

from foundation.page_parts import version_of
from ratings.ledger.contributions import Contribution
from ratings.ledger.forecasts import Forecaster
from ratings.matches.summary import MatchSummary, Team, read_matches, with_people
from ratings.models import Ladder, Match, MatchState, Participant, RatedBy, RatingTrack

__all__ = [
    "MatchLine",
    "PlayerLine",
    "TeamCell",
    "latest_lines",
    "lines_of",
    "player_lines",
    "version_of_lines",
]

# How many sides of many a line names.
_BEST = 3


@dataclass(frozen=True, slots=True)
class TeamCell:
    """One team of a line.

    points  what the match did to its members on average; None where that is not known, or hidden
    place   of more than two teams, where it finished
    """

    team: Team
    points: float | None
    place: int | None


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a list that is nobody's own; of more than two teams the best first, `others` of them left out."""

    summary: MatchSummary
    cells: list[TeamCell]
    others: int = 0


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A match in a player's own list. `partners` are those of the own team but the player."""

    summary: MatchSummary
    own: Team
    partners: list[Participant]
    others: list[Team]
    contribution: Contribution | None

    @property
    def match(self) -> Match:
        """The match itself."""
        return self.summary.match

    @property
    def place(self) -> int | None:
        """Where the own team finished among more than two; None before that."""
        return self.own.place if self.summary.has_places else None


def latest_lines(
    ladders: Sequence[Ladder], count: int, tracks: Mapping[int, RatingTrack] | None = None
) -> list[MatchLine]:
    """The newest confirmed matches of public ladders, newest first. `tracks`: see `read_matches`."""
    newest = Match.objects.filter(ladder=OuterRef("pk"), state=MatchState.CONFIRMED).order_by(
        "-played_at", "-pk"
    )
    per_ladder = (
        Ladder.objects.public()
        .filter(pk__in=[ladder.pk for ladder in ladders])
        .annotate(newest=ArraySubquery(newest.values("pk")[:count]))
    )
    ids = per_ladder.order_by().values(
        match=Func("newest", function="unnest", output_field=BigIntegerField())
    )
    matches = with_people(Match.objects.filter(pk__in=ids)).order_by("-played_at", "-pk")
    return lines_of(list(matches[:count]), tracks)


def lines_of(
    matches: Sequence[Match], tracks: Mapping[int, RatingTrack] | None = None
) -> list[MatchLine]:
    """Matches that were read by `with_people` as lines of a list that is nobody's own. `tracks`: see `read_matches`."""
    lines = []
    for summary in read_matches(matches, tracks=tracks):
        cells = [
            TeamCell(team, summary.points_of(team), team.place if summary.has_places else None)
            for team in summary.by_place
        ]
        # Whoever comes along plays on a server: a line has no room for all.
        is_told = summary.match.ladder.rated_by == RatedBy.EVENTS
        shown = _BEST if is_told and len(cells) > _BEST + 1 else len(cells)
        lines.append(MatchLine(summary, cells[:shown], len(cells) - shown))
    return lines


def player_lines(
    matches: Sequence[Match],
    player_ids: Collection[int],
    known: Mapping[int, Forecaster] | None = None,
) -> list[PlayerLine]:
    """Matches that were read by `with_people`, from the side of one who plays as these: one of them took part in each.

    Of a player's own ratings alone the changes are read. `known`: forecasters of the public tracks of their ladders, by
    ladder, where these have been read.
    """
    tracks = forecasters = None
    if known is not None:
        tracks = {ladder: one.track for ladder, one in known.items()}
        forecasters = {one.track.pk: one for one in known.values()}
    summaries = read_matches(matches, players=player_ids, tracks=tracks, forecasters=forecasters)
    lines = []
    for summary in summaries:
        player_id = next(one.player_id for one in summary.people if one.player_id in player_ids)
        own = summary.team_of(player_id)
        partners = [one for one in own.members if one.player_id != player_id]
        others = [team for team in summary.teams if team is not own]
        lines.append(
            PlayerLine(summary, own, partners, others, summary.contributions.get(player_id))
        )
    return lines


def version_of_lines(lines: Sequence[PlayerLine]) -> str:
    """Another name when a match is new, decided or rated, anew or by another track, or has other scores."""
    return version_of(
        [
            (
                one.match.pk,
                one.match.state,
                one.summary.is_unrated,
                [(team.rank, team.score) for team in one.summary.teams],
                one.contribution and one.contribution.entry.pk,
            )
            for one in lines
        ]
    )
