"""Matches as lines of a list: who played, how it ended, what it did to the ratings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Prefetch, QuerySet

from leaderboards.contributions import Contribution, contributions_of
from leaderboards.results import Side, sides_of
from leaderboards.shown import ladders_of_matches, shown_tracks
from ratings.models import Ladder, Match, MatchState, Participant, RatingTrack

__all__ = ["Line", "LineSide", "PlayerLine", "latest_lines", "player_lines", "with_people"]


@dataclass(frozen=True, slots=True)
class LineSide:
    """One side of a match, and what the match did to its members on average (None: not known, or hidden)."""

    side: Side
    points: float | None


@dataclass(frozen=True, slots=True)
class Line:
    """A match in a list that is nobody's own."""

    match: Match
    sides: list[LineSide]
    waits: bool
    track: RatingTrack | None


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A match in a player's own list."""

    match: Match
    own: Side
    others: list[Side]
    change: Contribution | None
    waits: bool
    track: RatingTrack | None


def with_people(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Read ladder, game and participants with the matches: three queries in all, whatever their number."""
    people = Participant.objects.select_related("player")
    return matches.select_related("ladder__game").prefetch_related(
        Prefetch("participants", queryset=people)
    )


def latest_lines(ladders: Sequence[Ladder], count: int) -> list[Line]:
    """The newest confirmed matches of public ladders, newest first."""
    newest = Match.objects.filter(ladder=OuterRef("pk"), state=MatchState.CONFIRMED).order_by(
        "-played_at", "-pk"
    )
    per_ladder = (
        Ladder.objects.public()
        .filter(pk__in=[ladder.pk for ladder in ladders])
        .annotate(newest=ArraySubquery(newest.values("pk")[:count]))
    )
    ids = [pk for found in per_ladder.values_list("newest", flat=True) for pk in found]
    matches = with_people(Match.objects.filter(pk__in=ids)).order_by("-played_at", "-pk")
    return lines_of(list(matches[:count]))


def lines_of(matches: Sequence[Match]) -> list[Line]:
    """Add what each match did to the ratings; the matches were read by `with_people`."""
    players = {one.player_id for match in matches for one in match.participants.all()}
    tracks = shown_tracks(ladders_of_matches(matches))
    changes = contributions_of(tracks, matches, players=players)
    return [
        Line(
            match,
            [
                LineSide(side, _mean_points(match, side, changes))
                for side in sides_of(match.participants.all(), match.extra)
            ],
            _waits(match, tracks),
            tracks.get(match.ladder_id),
        )
        for match in matches
    ]


def player_lines(matches: Sequence[Match], player_id: int) -> list[PlayerLine]:
    """The same from one player's side; he took part in every one of the matches."""
    tracks = shown_tracks(ladders_of_matches(matches))
    changes = contributions_of(tracks, matches, players=[player_id])
    lines = []
    for match in matches:
        sides = sides_of(match.participants.all(), match.extra)
        own = next(s for s in sides if any(one.player_id == player_id for one in s.members))
        others = [side for side in sides if side is not own]
        change = changes.get((match.pk, player_id))
        track = tracks.get(match.ladder_id)
        lines.append(PlayerLine(match, own, others, change, _waits(match, tracks), track))
    return lines


def _mean_points(
    match: Match, side: Side, changes: Mapping[tuple[int, int], Contribution]
) -> float | None:
    keys = [(match.pk, one.player_id) for one in side.members]
    points = [changes[key].points for key in keys if key in changes]
    return sum(points) / len(points) if points else None


def _waits(match: Match, tracks: Mapping[int, RatingTrack]) -> bool:
    """Whether a confirmed match is yet to be rated."""
    track = tracks.get(match.ladder_id)
    rated = track.rated_seq if track else 0
    return match.state == MatchState.CONFIRMED and (match.ladder_seq or rated + 1) > rated
