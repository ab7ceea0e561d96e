"""A match as everybody reads it: its teams, how it ended for each, and what it did to ratings that may be shown.

Pages, lists, the API and the administration begin here. Which matches somebody may see at all says
`Match.objects.visible_to`; in normal mode a match that may be seen has no track here, and so no rating, no change of
one, and no waiting for one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.db.models import Prefetch, QuerySet

from ratings.ledger.contributions import Contribution, contributions_of
from ratings.ledger.forecasts import Forecaster
from ratings.matches.result import TEAM_SCORES, outcome_of, place_of
from ratings.matches.start import SIDES_BY
from ratings.matches.verdict import PARTNER_TEAM
from ratings.models import Ladder, Match, MatchState, Mode, Outcome, Participant, RatingTrack

__all__ = [
    "ImportedColumns",
    "MatchSummary",
    "Team",
    "by_ladder",
    "imported_columns",
    "people_of_matches",
    "public_tracks",
    "read_matches",
    "summary_of",
    "teams_of",
    "with_people",
]


@dataclass(frozen=True, slots=True)
class Team:
    """One team of a match.

    number   as it is stored, from 0       members  its players, at least one, or none: then it is a
    partner  that the game has supplied, by its name; empty for players
    rank     as it is stored, 0 is best    outcome  None until every team has a rank
    place    from 1, teams of equal rank share it; None without a rank
    score    the game's own count, where it has one
    """

    number: int
    members: tuple[Participant, ...]
    rank: int | None
    outcome: Outcome | None
    place: int | None
    is_place_shared: bool
    score: float | None
    partner: str = ""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match, its teams in their order, and by player what it did to the ratings.

    track          the one whose ratings are shown; None in normal mode, and on ladders without ratings
    contributions  of this match alone; empty until it is rated, and without a track
    """

    match: Match
    teams: list[Team]
    track: RatingTrack | None = None
    contributions: Mapping[int, Contribution] = field(default_factory=dict)

    @property
    def is_ranked(self) -> bool:
        """Whether its ratings are public."""
        return self.match.ladder.mode == Mode.RANKED

    @property
    def is_unrated(self) -> bool:
        """Whether it is confirmed and yet to be rated; in normal mode nobody is told whether it is."""
        if not (self.is_ranked and self.match.rated) or self.match.state != MatchState.CONFIRMED:
            return False
        rated = self.track.rated_seq if self.track else 0
        return (self.match.ladder_seq or rated + 1) > rated

    @property
    def has_places(self) -> bool:
        """Whether it ended with places: it is decided, and of more than two teams."""
        return len(self.teams) > 2 and self.teams[0].outcome is not None

    @property
    def has_scores(self) -> bool:
        """Whether the game has counted something, beside the places."""
        return any(team.score is not None for team in self.teams)

    @property
    def by_place(self) -> list[Team]:
        """More than two teams in the order of their places, those without one last; two stay as they are."""
        if len(self.teams) == 2:
            return self.teams
        return sorted(self.teams, key=lambda team: (team.rank is None, team.rank or 0))

    @property
    def people(self) -> list[Participant]:
        """Everybody, team by team."""
        return [one for team in self.teams for one in team.members]

    def team_of(self, player_id: int) -> Team:
        """The team of one of its players."""
        return next(
            team for team in self.teams if any(one.player_id == player_id for one in team.members)
        )

    def points_of(self, team: Team) -> float | None:
        """What the match did to the members of a team on average; None where that is not known, or hidden."""
        found = [self.contributions.get(one.player_id) for one in team.members]
        points = [contribution.points for contribution in found if contribution is not None]
        return sum(points) / len(points) if points else None


@dataclass(frozen=True, slots=True)
class ImportedColumns:
    """Columns that came with a match: (label, first, second) of both teams, and (label, value) of the others."""

    paired: list[tuple[str, Any, Any]]
    single: list[tuple[str, Any]]


def with_people(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Read ladder, game and participants with the matches: three queries in all, whatever their number."""
    return matches.select_related("ladder__game").prefetch_related(people_of_matches())


def people_of_matches() -> "Prefetch[str, QuerySet[Participant], str]":
    """What is to be prefetched with matches: participants with their players."""
    return Prefetch("participants", queryset=Participant.objects.select_related("player"))


def public_tracks(ladders: Iterable[Ladder], *related: str) -> dict[int, RatingTrack]:
    """The track that players see, by ladder id; ladders in normal mode are left out. One query, with `related`."""
    by_id = {ladder.pk: ladder for ladder in ladders}
    tracks = RatingTrack.objects.public().filter(ladder__in=by_id)
    return by_ladder(tracks.select_related(*related) if related else tracks, by_id.values())


def by_ladder(tracks: Iterable[RatingTrack], ladders: Iterable[Ladder]) -> dict[int, RatingTrack]:
    """Tracks that players see by ladder id, each with its ladder; those of other ladders are left out."""
    by_id = {ladder.pk: ladder for ladder in ladders}
    found = {track.ladder_id: track for track in tracks if track.ladder_id in by_id}
    for ladder_id, track in found.items():
        track.ladder = by_id[ladder_id]
    return found


def read_matches(
    matches: Sequence[Match],
    *,
    players: Collection[int] | None = None,
    tracks: Mapping[int, RatingTrack] | None = None,
    forecasters: Mapping[int, Forecaster] | None = None,
) -> list[MatchSummary]:
    """Matches that were read by `with_people`, with the changes of these players' ratings (None: of everybody's).

    Seven queries at most, whatever their number. Two of them read what may be known already: the public `tracks` of
    their ladders, by ladder, and the `forecasters` of these, by track.
    """
    if tracks is None:
        tracks = public_tracks({match.ladder_id: match.ladder for match in matches}.values())
    if players is None:
        players = {one.player_id for match in matches for one in match.participants.all()}
    found: dict[int, dict[int, Contribution]] = {match.pk: {} for match in matches}
    read = contributions_of(tracks, matches, players=players, forecasters=forecasters)
    for (match_id, player_id), one in read.items():
        found[match_id][player_id] = one
    return [summary_of(match, tracks.get(match.ladder_id), found[match.pk]) for match in matches]


def summary_of(
    match: Match,
    track: RatingTrack | None = None,
    contributions: Mapping[int, Contribution] | None = None,
) -> MatchSummary:
    """A match whose participants were read with it: nothing is read here."""
    return MatchSummary(
        match, teams_of(match.participants.all(), match), track, contributions or {}
    )


def teams_of(participants: Iterable[Participant], match: Match) -> list[Team]:
    """The teams of a match in their order; `participants` in any order. A partner of the game is the last."""
    ordered = sorted(participants, key=lambda one: (one.team, one.pk))
    teams = [tuple(members) for _, members in groupby(ordered, key=lambda one: one.team)]
    ranks = [members[0].rank for members in teams]
    of_teams = match.extra.get(TEAM_SCORES)
    if not isinstance(of_teams, dict):  # a column of this name may have come with a file
        of_teams = {}
    scores = [of_teams.get(str(members[0].team), members[0].score) for members in teams]
    if match.partner:
        teams.append(())
        ranks.append(match.partner_rank)
        scores.append(match.partner_score)
    known = [rank for rank in ranks if rank is not None]
    is_decided = len(known) == len(ranks)
    outcomes = [outcome_of(known, n) if is_decided else None for n in range(len(teams))]
    if len(teams) == 2 and None in scores:
        # A pair of columns may hold the score: one that tells the same result.
        for _, *pair in imported_columns(match.extra).paired:
            numbers = [_number(value) for value in pair]
            if None in numbers:
                continue
            first, second = (number or 0.0 for number in numbers)
            decided = Outcome.WON if first > second else Outcome.LOST
            if outcomes[0] == (Outcome.DRAWN if first == second else decided):
                scores = numbers
                break
    return [
        Team(
            number=members[0].team if members else PARTNER_TEAM,
            members=members,
            rank=rank,
            outcome=outcome,
            place=None if rank is None else place_of([rank, *known], 0),
            is_place_shared=known.count(rank) > 1 if rank is not None else False,
            score=score,
            partner="" if members else match.partner,
        )
        for members, rank, outcome, score in zip(teams, ranks, outcomes, scores, strict=True)
    ]


def imported_columns(extra: Mapping[str, Any]) -> ImportedColumns:
    """Sort the further columns of a match: `goals_a` and `goals_b` belong together."""
    stems = [key[:-2] for key in extra if key.endswith("_a") and f"{key[:-2]}_b" in extra]
    taken = {stem + end for stem in stems for end in ("_a", "_b")}
    taken |= {SIDES_BY, *(key for key, value in extra.items() if isinstance(value, dict))}
    return ImportedColumns(
        paired=[(_label(stem), extra[f"{stem}_a"], extra[f"{stem}_b"]) for stem in stems],
        single=[(_label(key), value) for key, value in extra.items() if key not in taken],
    )


def _label(column: str) -> str:
    return column.replace("_", " ").strip() or column


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
