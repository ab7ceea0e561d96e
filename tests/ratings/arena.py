"""A ladder with players and confirmed matches, for the tests of rating runs."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from foundation import clock
from ratings.models import Game, Ladder, Match, Participant, Player, RatingTrack
from ratings.runs.run import RunReport, rate_track
from ratings.tracks.parameters import create_track

__all__ = ["DAY", "START", "Arena", "Played", "history_of", "late", "make_arena", "random_history"]

START = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
LATE = 10_000.0
LEDGER = (
    "player_id",
    "games",
    "expected",
    "actual",
    "weight",
    "value_before",
    "value_after",
    "deviation_before",
    "deviation_after",
    "status_before",
    "kind",
    "worth",
    "volatility_before",
    "volatility_after",
)


def late(day: float = LATE) -> AbstractContextManager[None]:
    """Let it be so many days after START, whenever the test runs."""
    return clock.at(START + day * DAY)


@dataclass(frozen=True)
class Played:
    """One match: when it was confirmed (days after START), who met whom, score of the first."""

    day: float
    first: int
    second: int
    score: float


class Arena:
    """A ladder and its players, by number."""

    def __init__(self, players: int, *, slug: str = "go", **rules: Any) -> None:
        self.game = Game.objects.create(slug=slug, name="Go")
        self.ladder = Ladder.objects.create(game=self.game, slug=slug, name="Go", **rules)
        names = [f"player {number}" for number in range(players)]
        self.players = Player.objects.bulk_create(
            Player(game=self.game, external_id=name, name=name, skeleton=name) for name in names
        )

    def track(
        self, system: str = "elo", *, days: float | None = None, shown: bool = False, **own: Any
    ) -> RatingTrack:
        """A new track of the ladder."""
        return create_track(
            ladder=self.ladder, system=system, parameters=own, period_days=days, shown=shown
        )

    def play(self, *history: Played) -> list[Match]:
        """Confirm matches; none has its place in the sequence yet."""
        known = Match.objects.count()
        matches = Match.objects.bulk_create(
            self._match(f"m{known + number}", played.day) for number, played in enumerate(history)
        )
        rows = []
        for match, played in zip(matches, history, strict=True):
            ranks = (int(played.score < 0.5), int(played.score > 0.5))
            for team, who in enumerate((played.first, played.second)):
                rows.append(
                    Participant(match=match, player=self.players[who], team=team, rank=ranks[team])
                )
        Participant.objects.bulk_create(rows)
        return matches

    def rate(self, track: RatingTrack, *, day: float = LATE) -> RunReport:
        """Rate what is due so many days after START."""
        with late(day):
            report = rate_track(track.pk)
        track.refresh_from_db()
        return report

    def values(self, track: RatingTrack) -> dict[int, float]:
        """Rating by the player's number."""
        numbers = {player.pk: number for number, player in enumerate(self.players)}
        found = track.ratings.values_list("player_id", "value")
        return {numbers[pk]: value for pk, value in found}

    def _match(self, name: str, day: float) -> Match:
        at = START + day * DAY
        return Match(
            ladder=self.ladder,
            game=self.game,
            external_id=name,
            state="confirmed",
            played_at=at,
            confirmed_at=at,
        )


def make_arena(players: int = 4, **rules: Any) -> Arena:
    """A ladder of its own game. The pool counts as grown from the start unless told otherwise."""
    return Arena(players, **{"pool_minimum": 0, "established_after": 3, **rules})


def random_history(
    matches: int, players: int, *, days: float, seed: int = 7, skip: float = 0.0
) -> list[Played]:
    """Matches in order of time; with `skip` players stay away for stretches."""
    random = np.random.default_rng(seed)
    moments = np.sort(random.uniform(0, days, matches))
    if skip:
        moments = moments[(moments // skip).astype(int) % 2 == 0]
    history = []
    for day in moments.tolist():
        first, second = random.choice(players, 2, replace=False).tolist()
        score = float(random.choice([0.0, 0.5, 1.0]))
        history.append(Played(day, first, second, score))
    return history


def history_of(track: RatingTrack) -> tuple[Sequence[Any], ...]:
    """Everything a track computed, to the bit: ledger, ratings, periods and position."""
    track.refresh_from_db()
    ratings = track.ratings.order_by("player_id").values_list(
        "player_id", "value", "deviation", "as_of", "games", "counted", "wins", "draws", "losses",
        "leaves", "status", "last_played_at",
    )  # fmt: skip
    ledger = track.changes.order_by("at", "match__ladder_seq", "player_id", "kind")
    periods = track.periods.order_by("number").values_list(
        "number", "first_seq", "last_seq", "games", "players", "new_players", "mean", "spread"
    )
    return (
        list(ledger.values_list("match__ladder_seq", "period__number", *LEDGER)),
        list(ratings),
        list(periods),
        [track.rated_seq, track.closed_periods, track.pool_grown_from, track.starts_at],
    )
