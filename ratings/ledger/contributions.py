"""What single matches did to ratings, read from the ledger.

A track that rates at once keeps one ledger row a match. A track with periods keeps one row for all of a player's
games in a period: what a game contributed follows from the rows of the two who met, without the other games.
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
from ratings.systems import Duels, PeriodSystem

__all__ = ["Contribution", "Contributions", "contributions_of", "period_rows"]


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one match did to one player's rating: points = weight · (actual - expected).

    `entry` is the row of the ledger: of this match, or of the period with all its games. `forecast` is the score
    expected before the match, with both deviations; `expected` is the one the calculation used. Of matches of more
    than two players both are means over the other teams, and there is no one opponent.
    """

    match_id: int
    player_id: int
    opponent_id: int | None
    expected: float
    actual: float
    weight: float
    points: float
    forecast: float
    opponent: Belief | None
    entry: RatingChange


@dataclass(frozen=True, slots=True)
class _Game:
    """One match of a period; `score` is that of `first`, who plays the better side where `side` is 1. `is_moved`: it
    came under a player who was merged into one of the two.
    """

    match_id: int
    period: RatingPeriod
    first: int
    second: int
    score: float
    side: float
    is_moved: bool


Key = tuple[int, int]
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
        for own in present:
            if own.player_id not in players:
                continue
            others = [row for row in present if row is not own]
            other = others[0] if len(others) == 1 else None
            opponent = None if other is None else belief_before(other)
            forecast = own.expected or 0.0
            if opponent is not None:
                system = forecasters[own.track_id].system_at(match.ladder_seq or 0)
                side = side_of(match, getattr(own, "team", 0))
                forecast = Forecaster.expect(system, belief_before(own), opponent, side=side)
            found[match.pk, own.player_id] = Contribution(
                match_id=match.pk,
                player_id=own.player_id,
                opponent_id=None if other is None else other.player_id,
                expected=own.expected or 0.0,
                actual=own.actual or 0.0,
                weight=own.weight or 0.0,
                points=own.value_after - own.value_before,
                forecast=forecast,
                opponent=opponent,
                entry=own,
            )
    return found


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
    people = {player for game in games for player in (game.first, game.second)}
    rows = RatingChange.objects.filter(
        period__in={game.period.pk for game in games}, player__in=people, worth__isnull=False
    )
    ledger = {(row.period_id or 0, row.player_id): row for row in rows}
    by_version: dict[Key, list[_Game]] = defaultdict(list)
    for game in games:
        if {(game.period.pk, game.first), (game.period.pk, game.second)} <= ledger.keys():
            by_version[game.period.track_id, game.period.version_id].append(game)
    found: Contributions = {}
    for (track_id, version_id), members in by_version.items():
        system = forecasters[track_id].system_of(version_id)
        if isinstance(system, PeriodSystem):
            found.update(_separate_games(system, members, ledger))
    return {key: value for key, value in found.items() if key in wanted}


def _games_in(periods: Mapping[int, list[RatingPeriod]], matches: Iterable[int]) -> list[_Game]:
    """Those of the matches that counted in one of the periods, in the order of the sequence."""
    if not periods:
        return []
    members = Participant.objects.filter(
        match__in=matches, match__ladder__in=periods, match__state=MatchState.CONFIRMED
    ).select_related("match")
    by_match: dict[int, list[Participant]] = defaultdict(list)
    for member in members.order_by("match__ladder_seq", "team", "pk"):
        by_match[member.match_id].append(member)
    found = []
    for match_id, pair in by_match.items():
        match, rank, other_rank = pair[0].match, pair[0].rank, pair[-1].rank
        if len(pair) != 2 or rank is None or other_rank is None:
            continue
        seq, of_ladder = match.ladder_seq or 0, periods[match.ladder_id]
        index = bisect_left(of_ladder, seq, key=lambda period: period.last_seq)
        if index < len(of_ladder) and of_ladder[index].first_seq <= seq:
            first, second = (one.player_id for one in pair)
            score = 0.5 if rank == other_rank else float(rank < other_rank)
            side = side_of(match, pair[0].team)
            is_moved = any(one.reported_as_id for one in pair)
            found.append(_Game(match_id, of_ladder[index], first, second, score, side, is_moved))
    return found


def _separate_games(
    system: PeriodSystem, games: Sequence[_Game], ledger: Mapping[Key, RatingChange]
) -> Contributions:
    """Return what each game contributed. A player in two periods is two rows: each begins as the ledger says."""
    rows_of: dict[Key, int] = {}
    for game in games:
        for player in (game.first, game.second):
            rows_of.setdefault((game.period.pk, player), len(rows_of))
    rows = [ledger[key] for key in rows_of]
    before = ratings_of([belief_before(row) for row in rows])
    first = np.array([rows_of[game.period.pk, game.first] for game in games])
    second = np.array([rows_of[game.period.pk, game.second] for game in games])
    score = np.array([game.score for game in games])
    side = np.array([game.side for game in games])
    worth = np.array([row.worth for row in rows], dtype=np.float64)
    changes = system.explain_games(before, Duels(first, second, score, side), worth)
    expected = system.expected(before, first, second, side)
    forecasts = np.column_stack((expected, 1 - expected)).ravel()
    found: Contributions = {}
    for n in range(len(changes)):
        own, other = rows[int(changes.player[n])], rows[int(changes.opponent[n])]
        match_id = games[int(changes.game[n])].match_id
        found[match_id, own.player_id] = Contribution(
            match_id=match_id,
            player_id=own.player_id,
            opponent_id=other.player_id,
            expected=float(changes.expected[n]),
            actual=float(changes.actual[n]),
            weight=float(changes.weight[n]),
            points=float(changes.contribution[n]),
            forecast=float(forecasts[n]),
            opponent=belief_before(other),
            entry=own,
        )
    return found
