"""Rating history as a chart: pure functions from ratings to coordinates, drawn by components/rating/history_chart.html.

Coordinates are per cent of the plot, y downwards, written with a decimal point in every language.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from math import sqrt
from statistics import quantiles

from foundation.axes import Moment, number_ticks, time_ticks

__all__ = [
    "MOST_POINTS",
    "USUAL_MARGIN",
    "Chart",
    "Point",
    "Texts",
    "draw_history",
    "fill_gaps",
    "shorten_rest",
    "thin",
]

MOST_POINTS = 200
_BUCKETS = MOST_POINTS // 4 - 1
# A silence wider than this share of the chart gets points of its own, for its curved band.
_WIDE_GAP = 0.03
USUAL_MARGIN = 25.0


@dataclass(frozen=True, slots=True)
class Point:
    """A rating at a moment. `played` is False for points that only time makes."""

    at: datetime
    value: float
    deviation: float | None = None
    played: bool = True


@dataclass(frozen=True, slots=True)
class Texts:
    """What the chart says, already in the visitor's language."""

    title: str
    description: str
    line: str
    band: str
    moment: Callable[[Moment], str]
    number: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Scale:
    """From moments and ratings to per cent of the plot."""

    start: datetime
    end: datetime
    low: float
    high: float

    def x(self, at: datetime) -> float:
        """0 at `start`, 100 at `end`."""
        return 100 * ((at - self.start) / (self.end - self.start))

    def y(self, value: float) -> float:
        """0 at `high`, 100 at `low`; what lies outside is drawn on the edge."""
        return min(max(100 * (self.high - value) / (self.high - self.low), 0.0), 100.0)


@dataclass(frozen=True, slots=True)
class Tick:
    """A label below the plot at `x`; `anchor`: start, middle or end; a `minor` one hides on phones."""

    x: str
    label: str
    anchor: str
    minor: bool
    moment: Moment


@dataclass(frozen=True, slots=True)
class Chart:
    """What components/rating/history_chart.html draws. `changes`: how many there are; `rows` may be fewer."""

    title: str
    description: str
    line: str
    band: str
    last_x: str
    last_y: str
    y_ticks: list[tuple[str, str]]
    x_ticks: list[Tick]
    start: datetime
    end: datetime
    reference: str
    legend_line: str
    legend_band: str
    rows: list[tuple[datetime, float, float | None]]
    changes: int


def draw_history(
    points: Sequence[Point],
    texts: Texts,
    *,
    changes: int | None = None,
    reference: float | None = None,
    margin: float = USUAL_MARGIN,
) -> Chart:
    """Draw `points`, oldest first, at least one; the band is ± 2 deviations (95%).

    `changes`: how many there are, where `points` leaves some out. `reference` is a rating to mark, such as the start
    rating; left out where it is off the scale. `margin`: points left free above and below, at least.
    """
    if changes is None:
        changes = sum(point.played for point in points)
    kept = thin(shorten_rest(points))
    scale = _scale_of(kept, margin)
    drawn = fill_gaps(kept)
    has_band = all(point.deviation is not None for point in drawn)
    marked = reference is not None and scale.low < reference < scale.high
    last, band = drawn[-1], ""
    if has_band:
        above = [_pair(scale, p.at, p.value + 2 * (p.deviation or 0.0)) for p in drawn]
        below = [_pair(scale, p.at, p.value - 2 * (p.deviation or 0.0)) for p in reversed(drawn)]
        band = " ".join(above + below)
    moments = time_ticks(scale.start, scale.end)
    x_ticks = []
    for index, moment in enumerate(moments):
        x = scale.x(moment.at)
        anchor = "start" if x < 4 else "end" if x > 96 else "middle"
        minor = len(moments) > 4 and index % 2 == 1
        x_ticks.append(Tick(_number(x), texts.moment(moment), anchor, minor, moment))
    return Chart(
        title=texts.title,
        description=texts.description,
        line=" ".join(_pair(scale, point.at, point.value) for point in drawn),
        band=band,
        last_x=_number(scale.x(last.at)),
        last_y=_number(scale.y(last.value)),
        y_ticks=[
            (_number(scale.y(n)), texts.number(n)) for n in number_ticks(scale.low, scale.high)
        ],
        x_ticks=x_ticks,
        start=scale.start,
        end=scale.end,
        reference=_number(scale.y(reference)) if marked and reference is not None else "",
        legend_line=texts.line,
        legend_band=texts.band if has_band else "",
        rows=[(p.at, p.value, p.deviation) for p in reversed(kept) if p.played],
        changes=changes,
    )


def shorten_rest(points: Sequence[Point]) -> list[Point]:
    """`points` with a last stretch without play cut to the length of what was played before it.

    The history of a player who has long stopped can still be read, and the growth of the deviation still shows.
    """
    if len(points) < 3 or points[-1].played:
        return list(points)
    played, rest = points[-2].at - points[0].at, points[-1].at - points[-2].at
    if not timedelta(0) < played < rest:
        return list(points)
    return [*points[:-1], _between(points[-2], points[-1], played / rest)]


def thin(points: Sequence[Point]) -> list[Point]:
    """At most `MOST_POINTS` of `points`: of each stretch of time the ends and both extremes.

    Of what was played always the first, the last, the highest and the lowest.
    """
    if len(points) <= MOST_POINTS:
        return list(points)
    span = (points[-1].at - points[0].at) or timedelta(seconds=1)
    stretches: dict[int, list[int]] = {}
    for index, point in enumerate(points):
        stretch = min(int(_BUCKETS * ((point.at - points[0].at) / span)), _BUCKETS - 1)
        stretches.setdefault(stretch, []).append(index)
    played = [index for index, point in enumerate(points) if point.played]
    kept: set[int] = set()
    for members in [*stretches.values(), *([played] if played else [])]:
        # A point that time makes often has the value of one that was played, and does not take its place.
        lowest = min(members, key=lambda index: (points[index].value, not points[index].played))
        highest = max(members, key=lambda index: (points[index].value, points[index].played))
        kept.update((members[0], members[-1], lowest, highest))
    return [points[index] for index in sorted(kept)]


def fill_gaps(points: Sequence[Point]) -> list[Point]:
    """`points` with further ones in long silences, where the variance grows in proportion to time."""
    wide = (points[-1].at - points[0].at) * _WIDE_GAP
    filled = [points[0]]
    for before, after in pairwise(points):
        if after.at - before.at > wide and before.deviation and after.deviation:
            filled += (_between(before, after, share) for share in (0.05, 0.2, 0.4, 0.7))
        filled.append(after)
    return filled


def _between(before: Point, after: Point, share: float) -> Point:
    old, new = before.deviation, after.deviation
    grown = (
        None if old is None or new is None else sqrt(old * old + share * (new * new - old * old))
    )
    return Point(
        at=before.at + share * (after.at - before.at),
        value=before.value + share * (after.value - before.value),
        deviation=grown,
        played=False,
    )


def _scale_of(points: Sequence[Point], least: float) -> Scale:
    """Room for every rating and for most of the band: a new player's is too wide to show in whole."""
    values = [point.value for point in points]
    low, high = min(values), max(values)
    deviations = [point.deviation for point in points if point.deviation is not None]
    median = quantiles(deviations, n=4)[1] if len(deviations) > 1 else max(deviations, default=0.0)
    margin = max(2 * median, 0.08 * (high - low), least)
    start, end = points[0].at, points[-1].at
    if start == end:
        start, end = start - timedelta(days=1), end + timedelta(days=1)
    return Scale(start, end, low - margin, high + margin)


def _pair(scale: Scale, at: datetime, value: float) -> str:
    return f"{_number(scale.x(at))},{_number(scale.y(value))}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
