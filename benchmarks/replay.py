"""Annulling the 100th of 10,000 and of 100,000 matches: until ratings without it are shown, and whether they are right.

300 players; an Elo track that rates each match at once, and a Glicko track with periods of six hours. The peer is
rating a ladder on which that match was never played; the replayed ratings, ledger and periods must equal its own.
BENCH_REPLAY_MATCHES=1000000 measures that many instead.
"""

import os
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction

from benchmarks.figure import Figure
from foundation import clock
from ratings.matches.decide import annul
from ratings.models import (
    Game,
    Ladder,
    Match,
    MatchState,
    Participant,
    Player,
    RatingTrack,
    TrackState,
)
from ratings.runs.run import due_replays, rate_track
from ratings.tracks.parameters import create_track

NAME = "replay"
PLAYERS, ANNULLED = 300, 100
PART = 5_000  # matches that are written at once
SIZES = [int(size) for size in os.environ.get("BENCH_REPLAY_MATCHES", "10000,100000").split(",")]
START = datetime(2026, 1, 1, tzinfo=UTC)
INTERVAL = timedelta(minutes=5)
PERIOD_DAYS = 0.25
SYSTEMS: dict[str, float | None] = {"elo": None, "glicko": PERIOD_DAYS}
# Date, two players by number, score of the first.
Played = tuple[datetime, int, int, float]
Rows = list[int]  # hashes: of a million matches there are millions of rows


def run() -> Iterator[Figure]:
    """Each number of matches."""
    for matches in SIZES:
        yield from measure(matches)


def measure(number: int) -> Iterator[Figure]:
    """Play so many, rate, annul, replay; and the same without the match."""
    history, end = _history(number), START + (number + 1) * INTERVAL
    ladder = _ladder(f"bench-replay-{number}", history)
    _rate(ladder, end)
    before, cut = [_rows_of(track) for track in _live(ladder)], _annulled(ladder)
    replayed = _replay(cut, end)
    clean = _ladder(f"bench-replay-{number}-clean", history[: ANNULLED - 1] + history[ANNULLED:])
    peer = _rate(clean, end)
    after = [_rows_of(track) for track in _live(ladder)]
    expected = [_rows_of(track) for track in _live(clean)]
    assert before != after, "the match had no part in the ratings"
    matches = f"match {ANNULLED} of {number:,}, {PLAYERS} players, Elo and Glicko"
    yield Figure(
        name=f"replay: {matches}, annulled to new ratings shown",
        value=round(replayed, 3),
        unit="s",
        peer="rating a ladder without that match",
        peer_value=round(peer, 3),
    )
    differing = [_differing(*pair) for pair in zip(after, expected, strict=True)]
    yield Figure(
        name=f"replay: of {sum(map(len, expected)):,} rows of {number:,} matches, not equal to the bit",
        value=sum(differing),
        unit="rows",
    )


def _history(number: int) -> list[Played]:
    """The lower number wins more often; one in ten is a draw."""
    random = np.random.default_rng(100)
    first = random.integers(0, PLAYERS, number)
    second = (first + random.integers(1, PLAYERS, number)) % PLAYERS
    chance = 0.45 + 0.4 * (second - first) / PLAYERS
    luck = random.random(number)
    score = np.where(luck < chance, 1.0, np.where(luck < chance + 0.1, 0.5, 0.0))
    dates = [START + n * INTERVAL for n in range(number)]
    return list(zip(dates, first.tolist(), second.tolist(), score.tolist(), strict=True))


def _ladder(slug: str, history: Sequence[Played]) -> Ladder:
    """A ladder on which all of this was played, written in parts: a transaction that rests for long is ended."""
    game = Game.objects.create(slug=slug, name="Replay", simulated=True)
    ladder = Ladder.objects.create(game=game, slug=slug, name="Replay")
    for system, days in SYSTEMS.items():
        create_track(
            ladder=ladder, system=system, parameters={}, period_days=days, shown=days is None
        )
    names = [f"player {number}" for number in range(PLAYERS)]
    players = Player.objects.bulk_create(
        Player(game=game, external_id=name, name=name, skeleton=name) for name in names
    )
    for begin in range(0, len(history), PART):
        _add_matches(ladder, players, history[begin : begin + PART])
    return ladder


@transaction.atomic
def _add_matches(ladder: Ladder, players: Sequence[Player], history: Sequence[Played]) -> None:
    matches = Match.objects.bulk_create(
        Match(
            ladder=ladder,
            game=ladder.game,
            external_id=f"{at:%Y-%m-%d %H:%M}",
            state=MatchState.CONFIRMED,
            played_at=at,
            confirmed_at=at,
        )
        for at, *_ in history
    )
    Participant.objects.bulk_create(
        Participant(match=match, player=players[who], team=team, rank=rank)
        for match, (_, first, second, score) in zip(matches, history, strict=True)
        for team, who, rank in ((0, first, int(score < 0.5)), (1, second, int(score > 0.5)))
    )


def _rate(ladder: Ladder, end: datetime) -> float:
    """Seconds to rate all tracks of the ladder."""
    began = time.monotonic()
    with clock.at(end):
        for track in _live(ladder):
            rate_track(track.pk)
    return time.monotonic() - began


def _live(ladder: Ladder) -> list[RatingTrack]:
    return list(ladder.tracks.filter(state=TrackState.LIVE).order_by("system"))


def _annulled(ladder: Ladder) -> Match:
    return Match.objects.get(ladder=ladder, ladder_seq=ANNULLED)


def _replay(match: Match, end: datetime) -> float:
    """Seconds from the operator's word to the switch of both tracks, boards included."""
    began = time.monotonic()
    with clock.at(end):
        annul(match_id=match.pk, by=None, note="benchmark")
        for track_id in due_replays():
            rate_track(track_id)
    assert not due_replays()
    return time.monotonic() - began


def _rows_of(track: RatingTrack) -> Rows:
    """All that a track holds, to the bit: players by their names, matches by their ids in the game."""
    numbers = ("value", "deviation", "games", "counted", "wins", "draws", "losses", "status")
    ratings = track.ratings.values_list("player__name", "as_of", "last_played_at", *numbers)
    sums: Any = ("games", "expected", "actual", "weight", "value_before", "value_after")
    more = ("deviation_before", "deviation_after", "status_before")
    ledger = track.changes.values_list(
        "player__name", "match__external_id", "period__number", "at", *sums, *more
    )
    periods = track.periods.values_list(
        "number", "games", "players", "new_players", "mean", "spread"
    )
    return [hash(row) for rows in (ratings, ledger, periods) for row in rows.iterator(10_000)]


def _differing(found: Rows, expected: Rows) -> int:
    """How many rows are in one of them only."""
    return len(set(found) ^ set(expected)) + abs(len(found) - len(expected))
