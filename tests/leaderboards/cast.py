"""A ladder with players, and what its board must say, computed the plain way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Q

from foundation import clock
from leaderboards.models import Board, HiddenAs, RankBucket, Standing
from ratings.models import Game, Ladder, Mode, Player, Rating, RatingTrack, name_columns
from ratings.tracks.parameters import create_track
from tests.ratings.plain import NOON, PLAIN

__all__ = [
    "DAY",
    "NOON",
    "ROOKIE",
    "Cast",
    "check_buckets",
    "make_cast",
    "plain_order",
    "plain_rank",
]

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Cast:
    """One ladder, its shown track and its players in the order of their ids."""

    ladder: Ladder
    track: RatingTrack
    players: Sequence[Player]

    @transaction.atomic
    def rate(self, ratings: dict[int, dict[str, Any]]) -> None:
        """Let a run end: the players at these positions get these ratings. All others keep theirs."""
        self.track.revision += 1
        self.track.save(update_fields=["revision"])
        for position, columns in ratings.items():
            row = {**PLAIN, "leaves": 4, "revision": self.track.revision, **columns}
            mine = Rating.objects.filter(track=self.track, player=self.players[position])
            # As a run does: a plain UPDATE locks no keys, so a refresh at the same time cannot wait in a circle.
            if not mine.update(**row):
                Rating.objects.create(track=self.track, player=self.players[position], **row)

    def values(self, values: Iterable[float], **columns: Any) -> None:
        """Rate the first players with these values."""
        self.rate({position: {"value": value, **columns} for position, value in enumerate(values)})


ROOKIE = {"games": 3, "counted": 3, "wins": 1, "draws": 1, "losses": 1, "leaves": 0, "status": 1}


def make_cast(
    count: int, *, mode: str = Mode.RANKED, system: str = "elo", period_days: float | None = None
) -> Cast:
    """A new ladder with so many players, whom nobody has rated yet."""
    game = Game.objects.create(slug="chess", name="Chess")
    ladder = Ladder.objects.create(
        game=game, slug="blitz", name="Blitz", mode=mode, inactive_after_days=90
    )
    with clock.at(NOON):
        track = create_track(
            ladder=ladder, system=system, parameters={}, period_days=period_days, shown=True
        )
    names = [f"Player {number}" for number in range(count)]
    players = Player.objects.bulk_create(
        Player(game=game, external_id=name, **name_columns(name)) for name in names
    )
    return Cast(ladder, track, sorted(players, key=lambda player: player.pk))


def plain_order(track: RatingTrack, now: datetime, *, everyone: bool) -> list[Rating]:
    """Whom an Elo board shows, in order, from the ratings themselves."""
    ladder = track.ladder
    rested = now - timedelta(days=ladder.inactive_after_days)
    ratings = Rating.objects.filter(track=track)
    if not everyone:
        ratings = ratings.filter(last_played_at__gt=rested)
        if not ladder.lists_provisional:
            ratings = ratings.filter(counted__gte=ladder.established_after)
    return sorted(ratings, key=lambda rating: (-rating.value, rating.player_id))


def plain_rank(values: Sequence[float], value: float) -> int:
    """1 + how many have more."""
    return 1 + sum(other > value for other in values)


def check_buckets(track: RatingTrack) -> None:
    """The bucket counts must equal a count over the standings."""
    board = Board.objects.get(pk=track.pk)
    bucket = F("order_value") / board.bucket_width
    counted: dict[int, tuple[int, int, int]] = {}
    rows = Standing.objects.filter(track=track).annotate(bucket=bucket)
    for row in rows.values("bucket").annotate(
        total=Count("pk"),
        shown=Count("pk", filter=Q(listed=True)),
        resting=Count("pk", filter=Q(listed=False, hidden_as=HiddenAs.INACTIVE)),
    ):
        found = (row["total"], row["shown"], row["resting"])
        key = int(row["bucket"] // 1)
        before = counted.get(key, (0, 0, 0))
        counted[key] = (before[0] + found[0], before[1] + found[1], before[2] + found[2])
    stored = RankBucket.objects.filter(track=track, total__gt=0)
    kept = {row.bucket: (row.total, row.listed, row.inactive) for row in stored}
    assert kept == counted
