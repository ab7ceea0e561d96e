"""A player's ratings in public: where he stands on each ladder, and how he came there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import F, Q, QuerySet, Sum, Window
from django.db.models.functions import Mod, RowNumber

from leaderboards.boards import ranking
from leaderboards.boards.places import PlayerPlace
from leaderboards.charts.rating_chart import Point
from leaderboards.players.facet_ratings import Apart, apart_by_ladder
from leaderboards.players.performance import performances_of
from leaderboards.visibility import public_ladders
from ratings.ledger.forecasts import Belief, Forecaster, aged, forecasters_of
from ratings.models import Ladder, Player, Rating, RatingChange, RatingTrack, Status
from ratings.systems import Performance

__all__ = ["History", "LadderRating", "Peak", "history_of", "ratings_of_player", "with_peaks"]

# A chart is at most some 800 pixels wide.
MOST_POINTS = 1000
# Of a track whose board is not there yet.
_NOWHERE = PlayerPlace(rank=None, listed=0)


@dataclass(frozen=True, slots=True)
class LadderRating:
    """A public rating as of now. `rank` is None while the player is not listed, `performance` without enough games.

    `apart`: the ratings by map and by character on the same ladder. `peak`: see `with_peaks`.
    """

    rating: Rating
    ladder: Ladder
    forecaster: Forecaster
    belief: Belief
    inactive: bool
    rank: int | None
    listed: int
    performance: Performance | None
    apart: Sequence[Apart]
    peak: "Peak | None" = None

    @property
    def leave_share(self) -> float:
        """Games left early, from 0 to 1."""
        return self.rating.leaves / self.rating.games if self.rating.games else 0.0

    @property
    def track(self) -> RatingTrack:
        """The shown track of the ladder."""
        return self.forecaster.track

    @property
    def status(self) -> Status | None:
        """The status as of now: a rating that has grown vague is provisional again."""
        return self.belief.status

    @property
    def low(self) -> float | None:
        """Lower end of the 95% range, two deviations below; None without a deviation."""
        return self._end(-2)

    @property
    def high(self) -> float | None:
        """Upper end of the 95% range."""
        return self._end(2)

    def _end(self, deviations: int) -> float | None:
        """An end as it follows from rating and deviation as they are shown: who adds them up comes to the same."""
        if self.belief.deviation is None:
            return None
        unit = Decimal(1).scaleb(-self.track.decimals)
        value, deviation = (
            Decimal(repr(float(exact))).quantize(unit, ROUND_HALF_UP)
            for exact in (self.belief.value, self.belief.deviation)
        )
        return float(value + deviations * deviation)

    @property
    def counted_shown(self) -> int:
        """Counted games, up to the number needed."""
        return min(self.rating.counted, self.ladder.established_after)


@dataclass(frozen=True, slots=True)
class Peak:
    """The highest rating since it was established."""

    value: float
    at: datetime


@dataclass(frozen=True, slots=True)
class History:
    """A rating's course, oldest first, up to now."""

    points: list[Point]


def ratings_of_player(player: Player, now: datetime) -> list[LadderRating]:
    """His public ratings, the one played last first. The number of queries does not grow with that of ladders."""
    found = (
        Rating.objects.public_or_apart()
        .filter(player=player)
        .select_related("track")
        .order_by("-last_played_at", "-pk")
    )
    rows = list(found)
    ladders = public_ladders().in_bulk([row.track.ladder_id for row in rows])
    for row in rows:
        row.track.ladder = ladders[row.track.ladder_id]
    forecasters = forecasters_of(row.track for row in rows)
    whole = [row for row in rows if not row.track.facet]
    apart = apart_by_ladder((row for row in rows if row.track.facet), forecasters, now)
    performances = performances_of(player.pk, [forecasters[row.track_id] for row in whole])
    places = ranking.places_on([row.track for row in whole], player.pk)
    return [
        _ladder_rating(
            row,
            forecasters[row.track_id],
            performances.get(row.track_id),
            apart.get(row.track.ladder_id, ()),
            places.get(row.track_id, _NOWHERE),
            now,
        )
        for row in whole
    ]


def history_of(shown: LadderRating, now: datetime) -> History:
    """The changes of a rating from the ledger, evenly thinned out to what a chart can show, with the growth of its
    deviation in idle times. Two queries.
    """
    changes = _changes_of(shown.track, shown.rating.player_id)
    days = shown.track.period_days
    points = _points(_thinned(changes), timedelta(days=days) if days else timedelta())
    if points and now > points[-1].at:
        points.append(Point(now, shown.belief.value, shown.belief.deviation, played=False))
    return History(points)


def _thinned(changes: QuerySet[RatingChange]) -> list[RatingChange]:
    """Every so-manieth change, oldest first, the newest among them."""
    step = -(-changes.count() // MOST_POINTS)
    if step <= 1:
        return list(changes.order_by("id"))
    back = Window(RowNumber(), order_by=F("id").desc())
    kept = changes.annotate(back=back, rest=Mod(F("back") - 1, step)).filter(rest=0)
    return list(kept.order_by("id"))


def _changes_of(track: RatingTrack, player_id: int) -> QuerySet[RatingChange]:
    """The ledger of a player on a track that is shown."""
    return RatingChange.objects.filter(
        track=track, track__in=[track.pk] if track.shown else [], player=player_id
    )


def _ladder_rating(
    rating: Rating,
    forecaster: Forecaster,
    performance: Performance | None,
    apart: Sequence[Apart],
    place: PlayerPlace,
    now: datetime,
) -> LadderRating:
    track = forecaster.track
    belief = aged(forecaster, rating, now)
    rests = rating.last_played_at + timedelta(days=track.ladder.inactive_after_days)
    return LadderRating(
        rating=rating,
        ladder=track.ladder,
        forecaster=forecaster,
        belief=belief,
        inactive=rests <= now,
        rank=place.rank,
        listed=place.listed,
        performance=performance,
        apart=apart,
    )


def _points(rows: Sequence[RatingChange], period: timedelta) -> list[Point]:
    points: list[Point] = []
    for row in rows:
        begins = row.at - period
        if not points or begins > points[-1].at:
            points.append(Point(begins, row.value_before, row.deviation_before, played=False))
        points.append(Point(row.at, row.value_after, row.deviation_after))
    return points


def with_peaks(ratings: Sequence[LadderRating]) -> list[LadderRating]:
    """The same ratings, each with its peak. One query, which looks through their ledgers."""
    if not ratings:
        return []
    first, *more = (_best(one.rating, one.forecaster) for one in ratings)
    best = first.union(*more, all=True) if more else first
    peaks = {track: Peak(value, at) for track, value, at in best}
    return [replace(one, peak=peaks.get(one.track.pk)) for one in ratings]


def _best(
    row: Rating, forecaster: Forecaster
) -> QuerySet[RatingChange, tuple[int, float, datetime]]:
    """Early ratings are guesses: those before the games that establish one do not count."""
    threshold = float(forecaster.newest.parameters.get("provisional_deviation", 0) or 0)
    played = Window(Sum("games"), order_by=F("id").asc())
    changes = _changes_of(row.track, row.player_id).annotate(played=played)
    counted = changes.filter(
        Q(deviation_after__isnull=True) | Q(deviation_after__lte=threshold),
        played__gte=row.track.ladder.established_after,
    )
    best = counted.order_by("-value_after", "id")
    return best.values_list("track_id", "value_after", "at")[:1]
