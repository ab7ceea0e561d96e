"""A player's ratings in public: the rank on each ladder, and the history."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import F, Q, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce, Mod, RowNumber

from leaderboards.boards import ranking
from leaderboards.boards.ranks import PlayerRank
from leaderboards.charts.rating_chart import Point
from leaderboards.players.facet_ratings import FacetRatings, facets_by_ladder, with_gaps
from leaderboards.players.performance import performances_of
from leaderboards.visibility import with_ladders
from ratings.ledger.forecasts import Belief, Forecaster, aged, forecasters_of
from ratings.models import Ladder, Player, Rating, RatingChange, RatingTrack, Status
from ratings.systems import Performance

__all__ = [
    "History",
    "LadderRating",
    "Peak",
    "RatingDrift",
    "history_of",
    "ratings_of_player",
    "with_peaks",
]

# A chart is at most some 800 pixels wide.
MOST_POINTS = 1000


@dataclass(frozen=True, slots=True)
class LadderRating:
    """A public rating as of now. `rank` is None while the player is not listed, `performance` without enough games.

    `facets`: the ratings by map and by character on the same ladder. `peak`: see `with_peaks`, `drift`: `with_drift`.
    """

    rating: Rating
    ladder: Ladder
    forecaster: Forecaster
    belief: Belief
    inactive: bool
    rank: int | None
    listed: int
    performance: Performance | None
    facets: Sequence[FacetRatings]
    peak: "Peak | None" = None
    drift: "RatingDrift | None" = None

    @property
    def leave_share(self) -> float:
        """Games left early, from 0 to 1; 0 without a game."""
        return self.rating.leave_share or 0.0

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
class RatingDrift:
    """Decay or inflation of one rating.

    points   what each date adds now, below 0 where it takes; 0: nothing any more
    floor    below which nothing is taken; None: no limit
    every    days from one date to the next
    next_at  the next date; None where none is planned
    total    what all dates together have added so far, and how many they were
    """

    points: float
    floor: float | None
    every: float
    next_at: datetime | None
    total: float
    dates: int

    @property
    def size(self) -> float:
        """Points of each date, without a sign."""
        return abs(self.points)


@dataclass(frozen=True, slots=True)
class History:
    """The course of a rating, oldest first, and how many changes it has had."""

    points: list[Point]
    changes: int


def ratings_of_player(player: Player, now: datetime) -> list[LadderRating]:
    """The public ratings of a player, the one played last first. As many queries for any number of ladders."""
    rows = with_ladders(Rating.objects.public_of_any_facet().filter(player=player))
    forecasters = forecasters_of(row.track for row in rows)
    whole = [row for row in rows if not row.track.facet]
    facets = facets_by_ladder((row for row in rows if row.track.facet), forecasters, now)
    facets = with_gaps(facets, whole)
    performances = performances_of(player.pk, [forecasters[row.track_id] for row in whole])
    ranks = ranking.ranks_on([row.track for row in whole], player.pk)
    shown = []
    for row in whole:
        forecaster, rank = forecasters[row.track_id], ranks.get(row.track_id, PlayerRank())
        ladder = forecaster.track.ladder
        rests = row.last_played_at + timedelta(days=ladder.inactive_after_days)
        shown.append(
            LadderRating(
                rating=row,
                ladder=ladder,
                forecaster=forecaster,
                belief=aged(forecaster, row, now),
                inactive=rests <= now,
                rank=rank.rank,
                listed=rank.listed,
                performance=performances.get(row.track_id),
                facets=facets.get(ladder.pk, ()),
            )
        )
    return shown


def history_of(shown: LadderRating, now: datetime) -> History:
    """The course of a rating up to now: its changes from the ledger, evenly thinned out to what a chart can show, with
    the growth of its deviation in idle times. Two queries.
    """
    changes = _changes_of(shown.track, shown.rating.player_id)
    count = changes.count()
    # Every so-manieth change, the newest among them; and the first, the highest and the lowest.
    if (step := -(-count // MOST_POINTS)) > 1:
        orders = {"back": "-id", "first": "id", "highest": "-value_after", "lowest": "value_after"}
        numbers = {
            name: Window(RowNumber(), order_by=[order, "id"] if "value" in order else order)
            for name, order in orders.items()
        }
        changes = changes.annotate(**numbers, rest=Mod(F("back") - 1, step)).filter(
            Q(rest=0) | Q(first=1) | Q(highest=1) | Q(lowest=1)
        )
    period, points = timedelta(days=shown.track.period_days or 0), list[Point]()
    for row in changes.order_by("id"):
        begins = row.at - period
        if not points or begins > points[-1].at:
            points.append(Point(begins, row.value_before, row.deviation_before, played=False))
        points.append(Point(row.at, row.value_after, row.deviation_after))
    if points and now > points[-1].at:
        points.append(Point(now, shown.belief.value, shown.belief.deviation, played=False))
    return History(points, count)


def _changes_of(track: RatingTrack, player_id: int) -> QuerySet[RatingChange]:
    """The ledger of a player on a track that is shown."""
    return RatingChange.objects.filter(
        track=track, track__in=[track.pk] if track.shown else [], player=player_id
    )


def with_peaks(ratings: Sequence[LadderRating]) -> list[LadderRating]:
    """The same ratings, each with its peak. One query, which looks through their ledgers."""
    if not ratings:
        return []
    bests = []
    for one in ratings:
        changes = _changes_of(one.track, one.rating.player_id)
        # Established by the change before the first that found it so. What came before was a guess.
        found = changes.filter(status_before=Status.ESTABLISHED).order_by("id").values("id")[:1]
        by = changes.filter(id__lt=Subquery(found)).order_by("-id").values("id")[:1]
        since = Coalesce(Subquery(by), Subquery(found))
        if one.rating.status == Status.ESTABLISHED:  # perhaps only by the last
            since = Coalesce(since, Subquery(changes.order_by("-id").values("id")[:1]))
        certain = Q(deviation_after__isnull=True) | Q(
            deviation_after__lte=one.forecaster.newest.provisional_above
        )
        counted = changes.filter(certain, id__gte=since).order_by("-value_after", "id")
        bests.append(counted.values_list("track_id", "value_after", "at")[:1])
    first, *more = bests
    best = first.union(*more, all=True) if more else first
    peaks = {track: Peak(value, at) for track, value, at in best}
    return [replace(one, peak=peaks.get(one.track.pk)) for one in ratings]
