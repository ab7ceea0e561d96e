"""What single matches did to ratings, read from the ledger.

A track that rates at once keeps one ledger row a match. A track with periods keeps one row for all of a player's
games in a period: what a game contributed follows from the rows of those who met, without the other games.
So nothing here costs more the more games a period has.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import OuterRef, Subquery

from ratings.ledger.forecasts import (
    Belief,
    Forecaster,
    belief_before,
    forecasters_of,
    ratings_of,
    side_of,
)
from ratings.models import (
    Match,
    MatchState,
    Participant,
    RatingChange,
    RatingPeriod,
    RatingTrack,
    TrackState,
)
from ratings.systems import Contests, Duels, PeriodSystem, Ratings, Results
from ratings.systems.arrays import Floats

__all__ = ["Contribution", "Contributions", "contributions_of", "period_rows"]

Key = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one match did to one player's rating: points = weight · (actual - expected).

    `entry` is the row of the ledger: of this match, or of the period with all its games. `forecast` is the score
    expected before the match, with both deviations; `expected` is the one the calculation used. Of matches of more
    than two players both are means over the other teams, and there is no one opponent: the other teams have so many
    `opponents` together.
    """

    match_id: int
    player_id: int
    opponent_id: int | None
    opponents: int
    expected: float
    actual: float
    weight: float
    points: float
    forecast: float
    opponent: Belief | None
    entry: RatingChange


@dataclass(frozen=True, slots=True)
class _Game:
    """One match of a period: of each team its rank and the ids of its players.

    The first team plays the better side where `side` is 1. `is_moved`: it came under a player who was merged into one
    of these.
    """

    match_id: int
    period: RatingPeriod
    teams: tuple[tuple[int, tuple[int, ...]], ...]
    side: float
    is_moved: bool

    @property
    def keys(self) -> list[Key]:
        """The players, team by team, each with the period."""
        return [(self.period.pk, player) for _, team in self.teams for player in team]

    @property
    def is_duel(self) -> bool:
        """One against one."""
        return [len(team) for _, team in self.teams] == [1, 1]


Contributions = dict[Key, Contribution]
Tracks = Mapping[int, RatingTrack]


def contributions_of(
    tracks: Tracks,
    matches: Sequence[Match],
    *,
    players: Iterable[int],
    beside: int = 0,
    forecasters: Mapping[int, Forecaster] | None = None,
) -> Contributions:
    """Return contributions by (match, player), for rated matches, in their order. Six queries at most, and one more
    where a result was corrected or a player merged: while a track is computed anew, its ledger tells of before.

    `tracks`: by ladder id, those that may be shown; matches of other ladders are left out. `players`: whose
    ratings are of interest. With `beside` also so many of their games before each match, and after it, that are of
    the same period; then it is seven. `forecasters`: those of the tracks, by track id, where they have been read.
    """
    chosen = set(players)
    rated = [match for match in matches if match.ladder_seq and match.ladder_id in tracks]
    if any(match.corrected_at for match in rated):
        replayed = _replayed(tracks.values())
        rated = [
            match
            for match in rated
            if match.corrected_at is None or tracks[match.ladder_id].pk not in replayed
        ]
    if not rated or not chosen:
        return {}
    if forecasters is None:
        forecasters = forecasters_of(tracks.values())
    at_once = [match for match in rated if tracks[match.ladder_id].period_days is None]
    found = _of_matches(tracks, forecasters, at_once, chosen)
    by_period = [match for match in rated if tracks[match.ladder_id].period_days is not None]
    if by_period:
        found |= _of_periods(tracks, forecasters, by_period, chosen, beside)
    return found


def _replayed(tracks: Iterable[RatingTrack]) -> set[int]:
    """The ids of those that are computed anew. One query."""
    replays = RatingTrack.objects.filter(replaces__in=tracks, state=TrackState.REPLAY)
    return {pk for pk in replays.values_list("replaces", flat=True) if pk is not None}


def period_rows(
    track: RatingTrack, match: Match, players: Iterable[int]
) -> dict[int, RatingChange]:
    """The ledger's rows of the closed period into which a match falls, by player. One query."""
    periods = RatingPeriod.objects.filter(track=track, last_seq__gte=match.ladder_seq or 0)
    period = periods.filter(first_seq__lte=match.ladder_seq or 0).order_by("last_seq")
    rows = RatingChange.objects.filter(
        track=track, period__in=period.values("pk")[:1], player__in=players
    )
    return {row.player_id: row for row in rows}


def _of_matches(
    tracks: Tracks, forecasters: Mapping[int, Forecaster], matches: list[Match], players: set[int]
) -> Contributions:
    """One ledger row a player and match: the calculation stands there."""
    if not matches:
        return {}
    shown = [tracks[match.ladder_id].pk for match in matches]
    participant = Participant.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    rows = RatingChange.objects.filter(track__in=shown, match__in=matches).annotate(
        team=Subquery(participant.values("team")[:1])
    )
    by_match: dict[int, list[RatingChange]] = defaultdict(list)
    for row in rows:
        by_match[row.match_id or 0].append(row)
    found: Contributions = {}
    for match in matches:
        present = by_match[match.pk]
        by_team = _expected_before(match, forecasters[tracks[match.ladder_id].pk], present)
        for own in present:
            if own.player_id not in players:
                continue
            others = [row for row in present if row is not own]
            other = others[0] if len(others) == 1 else None
            opponent = None if other is None else belief_before(other)
            forecast = by_team.get(_team_of(own), own.expected or 0.0)
            if opponent is not None:
                system = forecasters[own.track_id].system_at(match.ladder_seq or 0)
                side = side_of(match, _team_of(own))
                forecast = Forecaster.expect(system, belief_before(own), opponent, side=side)
            found[match.pk, own.player_id] = Contribution(
                match_id=match.pk,
                player_id=own.player_id,
                opponent_id=None if other is None else other.player_id,
                opponents=sum(_team_of(row) != _team_of(own) for row in others),
                expected=own.expected or 0.0,
                actual=own.actual or 0.0,
                weight=own.weight or 0.0,
                points=own.value_after - own.value_before,
                forecast=forecast,
                opponent=opponent,
                entry=own,
            )
    return found


def _team_of(row: RatingChange) -> int:
    team: int | None = getattr(row, "team", None)
    return team or 0


def _expected_before(
    match: Match, forecaster: Forecaster, rows: Sequence[RatingChange]
) -> dict[int, float]:
    """The score expected of each team by all ratings before the match, by its number.

    Empty where there are two players, or where the ledger has it: a system without stages expected nothing else.
    """
    system = forecaster.system_at(match.ladder_seq or 0)
    if len(rows) < 3 or not system.declaration.has_stages:
        return {}
    teams: dict[int, list[Belief]] = defaultdict(list)
    for row in rows:
        teams[_team_of(row)].append(belief_before(row))
    if len(teams) < 2:
        return {}
    return dict(zip(teams, Forecaster.expect_teams(system, list(teams.values())), strict=True))


def _of_periods(
    tracks: Tracks,
    forecasters: Mapping[int, Forecaster],
    matches: list[Match],
    players: set[int],
    beside: int,
) -> Contributions:
    # The closed periods into which the matches fall, by ladder.
    ladder_of = {track.pk: ladder_id for ladder_id, track in tracks.items()}
    closed = RatingPeriod.objects.filter(
        track__in=ladder_of, track__ladder=OuterRef("ladder"), last_seq__gte=OuterRef("ladder_seq")
    )
    first = Subquery(closed.order_by("last_seq").values("pk")[:1])
    within = Match.objects.filter(pk__in=[match.pk for match in matches]).values_list(first)
    periods: dict[int, list[RatingPeriod]] = defaultdict(list)
    for period in RatingPeriod.objects.filter(pk__in=within).order_by("last_seq"):
        periods[ladder_of[period.track_id]].append(period)
    wanted = {(match.pk, player) for match in matches for player in players}
    if periods and beside:
        # The games of each player next to each match: an index gives them, however many there are. One query.
        parts = []
        for match_id, player in wanted:
            played = Participant.objects.filter(player=player).values_list("match_id", "player_id")
            parts.append(played.filter(match__lt=match_id).order_by("-match_id")[:beside])
            parts.append(played.filter(match__gt=match_id).order_by("match_id")[:beside])
        wanted |= set(parts[0].union(*parts[1:], all=True))
    games = _games_in(periods, {match for match, _ in wanted})
    if any(game.is_moved for game in games):  # the ledger may still have it as another player's
        replayed = _replayed(tracks.values())
        games = [it for it in games if not (it.is_moved and it.period.track_id in replayed)]
    people = {player for game in games for _, player in game.keys}
    rows = RatingChange.objects.filter(
        period__in={game.period.pk for game in games}, player__in=people, worth__isnull=False
    )
    ledger = {(row.period_id or 0, row.player_id): row for row in rows}
    by_version: dict[Key, list[_Game]] = defaultdict(list)
    for game in games:
        if ledger.keys() >= set(game.keys):
            by_version[game.period.track_id, game.period.version_id].append(game)
    found: Contributions = {}
    for (track_id, version_id), members in by_version.items():
        system = forecasters[track_id].system_of(version_id)
        if isinstance(system, PeriodSystem):
            for kind in (True, False):
                if some := [game for game in members if game.is_duel == kind]:
                    found.update(_separate_games(system, some, ledger))
    return {key: value for key, value in found.items() if key in wanted}


def _games_in(periods: Mapping[int, list[RatingPeriod]], matches: Iterable[int]) -> list[_Game]:
    """Those of the matches that counted in one of the periods, in the order of the sequence."""
    if not periods:
        return []
    members = Participant.objects.filter(
        match__in=matches, match__ladder__in=periods, match__state=MatchState.CONFIRMED
    ).select_related("match__ladder")
    by_match: dict[int, list[Participant]] = defaultdict(list)
    for member in members.order_by("match__ladder_seq", "team", "pk"):
        by_match[member.match_id].append(member)
    found = []
    for match_id, people in by_match.items():
        match, teams = people[0].match, defaultdict[int, list[Participant]](list)
        for one in people:
            teams[one.team].append(one)
        if len(teams) < 2 or any(one.rank is None for one in people):
            continue
        seq, of_ladder = match.ladder_seq or 0, periods[match.ladder_id]
        index = bisect_left(of_ladder, seq, key=lambda period: period.last_seq)
        if index < len(of_ladder) and of_ladder[index].first_seq <= seq:
            named = tuple(
                (team[0].rank or 0, tuple(one.player_id for one in team)) for team in teams.values()
            )
            side = side_of(match, people[0].team)
            is_moved = any(one.reported_as_id for one in people)
            found.append(_Game(match_id, of_ladder[index], named, side, is_moved))
    return found


def _separate_games(
    system: PeriodSystem, games: Sequence[_Game], ledger: Mapping[Key, RatingChange]
) -> Contributions:
    """Return what each game contributed; all are duels, or none is.

    A player in two periods is two rows: each begins as the ledger says.
    """
    rows_of: dict[Key, int] = {}
    for game in games:
        for key in game.keys:
            rows_of.setdefault(key, len(rows_of))
    rows = [ledger[key] for key in rows_of]
    before = ratings_of([belief_before(row) for row in rows])
    worth = np.array([row.worth for row in rows], dtype=np.float64)
    results, forecasts = _results(system, before, games, rows_of)
    changes = system.explain_games(before, results, worth)
    found: Contributions = {}
    for n in range(len(changes)):
        own, other = rows[int(changes.player[n])], int(changes.opponent[n])
        game = games[int(changes.game[n])]
        opposing = [team for _, team in game.teams if own.player_id not in team]
        found[game.match_id, own.player_id] = Contribution(
            match_id=game.match_id,
            player_id=own.player_id,
            opponent_id=None if other < 0 else rows[other].player_id,
            opponents=sum(map(len, opposing)),
            expected=float(changes.expected[n]),
            actual=float(changes.actual[n]),
            weight=float(changes.weight[n]),
            points=float(changes.contribution[n]),
            forecast=float(forecasts[n]),
            opponent=None if other < 0 else belief_before(rows[other]),
            entry=own,
        )
    return found


def _results(
    system: PeriodSystem, before: Ratings, games: Sequence[_Game], rows_of: Mapping[Key, int]
) -> tuple[Results, Floats]:
    """The games with positions for players, and of each row of their `Changes` the score forecast."""
    player = np.array([rows_of[key] for game in games for key in game.keys])
    if games[0].is_duel:
        first, second = player[::2], player[1::2]
        ranks = np.array([[rank for rank, _ in game.teams] for game in games])
        score = (np.sign(ranks[:, 1] - ranks[:, 0]) + 1) / 2
        side = np.array([game.side for game in games])
        expected = system.expected(before, first, second, side)
        return Duels(first, second, score, side), np.column_stack((expected, 1 - expected)).ravel()
    shape = [
        (number, team, rank)
        for number, game in enumerate(games)
        for team, (rank, members) in enumerate(game.teams)
        for _ in members
    ]
    contest, team, rank = np.array(shape, dtype=np.int64).T
    contests = Contests(contest, team, player, rank)
    return contests, system.expected_of(before, contests)
