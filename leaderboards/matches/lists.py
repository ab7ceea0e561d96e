"""Matches as lines of a list: who played, how it ended, what it did to the ratings."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Prefetch, QuerySet

from foundation.page_parts import version_of
from leaderboards.matches.teams import Side, sides_of
from leaderboards.visibility import ladders_of_matches, shown_tracks
from ratings.ledger.contributions import Contribution, contributions_of
from ratings.models import Ladder, Match, MatchState, Mode, Participant, RatingTrack

__all__ = [
    "Line",
    "LineSide",
    "PlayerLine",
    "latest_lines",
    "player_lines",
    "version_of_lines",
    "with_people",
]


@dataclass(frozen=True, slots=True)
class LineSide:
    """One side of a match, and what the match did to its members on average (None: not known, or hidden).

    `place`: of more than two sides, where it finished.
    """

    side: Side
    points: float | None
    place: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """A match in a list that is nobody's own."""

    match: Match
    sides: list[LineSide]
    waits: bool
    track: RatingTrack | None


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A match in a player's own list. `partners` are those of the own side but the player."""

    match: Match
    own: Side
    partners: list[Participant]
    others: list[Side]
    change: Contribution | None
    waits: bool
    track: RatingTrack | None

    @property
    def place(self) -> int | None:
        """Where the own side finished among more than two; None before that."""
        return _place(self.own, [self.own, *self.others])

    @property
    def is_place_shared(self) -> bool:
        """Whether another side finished at the same place."""
        return any(side.rank == self.own.rank for side in self.others)

    @property
    def side_count(self) -> int:
        """How many sides the match has."""
        return 1 + len(self.others)


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
            _line_sides(match, changes),
            _waits(match, tracks),
            tracks.get(match.ladder_id),
        )
        for match in matches
    ]


def player_lines(matches: Sequence[Match], player_ids: Collection[int]) -> list[PlayerLine]:
    """The same from the side of one who plays as these; one of them took part in every one of the matches."""
    tracks = shown_tracks(ladders_of_matches(matches))
    changes = contributions_of(tracks, matches, players=player_ids)
    lines = []
    for match in matches:
        people = list(match.participants.all())
        player_id = next(one.player_id for one in people if one.player_id in player_ids)
        sides = sides_of(people, match.extra)
        own = next(s for s in sides if any(one.player_id == player_id for one in s.members))
        others = [side for side in sides if side is not own]
        partners = [one for one in own.members if one.player_id != player_id]
        change = changes.get((match.pk, player_id))
        track = tracks.get(match.ladder_id)
        lines.append(PlayerLine(match, own, partners, others, change, _waits(match, tracks), track))
    return lines


def version_of_lines(lines: Sequence[PlayerLine]) -> str:
    """Another name when a match is new, decided or rated, anew or by another track."""
    return version_of(
        [(one.match.pk, one.match.state, one.change and one.change.change.pk) for one in lines]
    )


def _line_sides(match: Match, changes: Mapping[tuple[int, int], Contribution]) -> list[LineSide]:
    """The sides of a match; of more than two the best first."""
    sides = sides_of(match.participants.all(), match.extra)
    found = [
        LineSide(side, _mean_points(match, side, changes), _place(side, sides)) for side in sides
    ]
    return sorted(found, key=lambda one: (one.place or 0, one.side.team))


def _place(side: Side, sides: Sequence[Side]) -> int | None:
    """From 1, of more than two sides with a result; those of equal rank share a place."""
    if len(sides) < 3 or side.outcome is None:
        return None
    return 1 + sum((other.rank or 0) < (side.rank or 0) for other in sides)


def _mean_points(
    match: Match, side: Side, changes: Mapping[tuple[int, int], Contribution]
) -> float | None:
    keys = [(match.pk, one.player_id) for one in side.members]
    points = [changes[key].points for key in keys if key in changes]
    return sum(points) / len(points) if points else None


def _waits(match: Match, tracks: Mapping[int, RatingTrack]) -> bool:
    """Whether a confirmed match is yet to be rated. In normal mode nobody is told whether it is."""
    if match.ladder.mode != Mode.RANKED:
        return False
    track = tracks.get(match.ladder_id)
    rated = track.rated_seq if track else 0
    return match.state == MatchState.CONFIRMED and (match.ladder_seq or rated + 1) > rated
