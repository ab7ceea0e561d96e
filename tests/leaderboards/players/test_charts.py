"""Charts: coordinates stay inside, extremes survive, axes are round."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.axes import number_ticks, time_ticks
from leaderboards.charts.rating_chart import (
    MOST_POINTS,
    Chart,
    Point,
    Texts,
    draw_history,
    fill_gaps,
    shorten_rest,
    thin,
)

START = datetime(1872, 11, 30, tzinfo=UTC)
DAY = timedelta(days=1)
TEXTS = Texts("title", "text", "line", "band", lambda m: f"{m.at:%Y}", lambda n: f"{n:.0f}")


def course(values: list[float], deviation: float | None = 50.0, step: float = 30.0) -> list[Point]:
    return [Point(START + n * step * DAY, value, deviation) for n, value in enumerate(values)]


def coordinates(points: str) -> list[tuple[float, float]]:
    pairs = [pair.split(",") for pair in points.split()]
    return [(float(x), float(y)) for x, y in pairs]


def draw(points: list[Point]) -> Chart:
    return draw_history(points, TEXTS, reference=1500.0)


@given(
    st.lists(st.floats(-5000, 9000), min_size=1, max_size=600),
    st.one_of(st.none(), st.floats(1, 400)),
    st.floats(0.001, 400),
)
def test_everything_is_inside_the_plot(
    values: list[float], deviation: float | None, step: float
) -> None:
    chart = draw(course(values, deviation, step))
    drawn = coordinates(chart.line) + coordinates(chart.band)
    assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in drawn)
    assert (chart.band == "") is (deviation is None)
    assert len(chart.rows) <= MOST_POINTS
    assert chart.rows[0][1] == values[-1]


@given(st.lists(st.floats(0, 3000), min_size=MOST_POINTS + 1, max_size=2500))
def test_thinning_keeps_ends_and_extremes(values: list[float]) -> None:
    points = course(values)
    kept = thin(points)
    assert len(kept) <= MOST_POINTS
    assert kept[0] == points[0]
    assert kept[-1] == points[-1]
    assert max(kept, key=lambda p: p.value).value == max(values)
    assert min(kept, key=lambda p: p.value).value == min(values)
    assert [p.at for p in kept] == sorted(p.at for p in kept)


@given(
    st.lists(st.floats(0, 3000), min_size=MOST_POINTS, max_size=600), st.floats(0, 3000), st.data()
)
def test_thinning_never_leaves_out_what_was_played_last(
    values: list[float], before: float, data: st.DataObject
) -> None:
    """Nor first, highest or lowest: not for points of the same value, or beyond them, that time has made."""
    values[-1] = data.draw(st.sampled_from([values[-1], max(values), min(values)]))
    played = course(values, step=data.draw(st.sampled_from([30.0, 0.001])))
    begin = Point(START - DAY, before, 50.0, played=False)
    now = Point(played[-1].at + DAY, values[-1], 60.0, played=False)
    kept = thin([begin, *played, now])
    assert len(kept) <= MOST_POINTS
    assert {played[0], played[-1]} <= set(kept)
    left = [point.value for point in kept if point.played]
    assert (min(left), max(left)) == (min(values), max(values))
    chart = draw([begin, *played, now])
    assert chart.rows[0][1] == values[-1]
    assert len(chart.rows) < chart.changes == len(values)


def test_few_points_stay_as_they_are() -> None:
    points = course([1500.0, 1600.0, 1400.0])
    assert thin(points) == points


def test_the_band_grows_like_a_root_while_nobody_plays() -> None:
    points = [Point(START, 1500, 50), Point(START + 3650 * DAY, 1500, 350)]
    filled = fill_gaps(points)
    for point in filled:
        share = (point.at - START) / (3650 * DAY)
        assert point.deviation == pytest.approx((50**2 + share * (350**2 - 50**2)) ** 0.5)
    assert len(filled) == 6


def test_a_long_rest_takes_no_more_than_half() -> None:
    played = course([1500.0, 1520.0, 1490.0])
    now = Point(played[-1].at + 9000 * DAY, 1490, 350, played=False)
    points = shorten_rest([*played, now])
    assert points[-1].at == played[-1].at + 60 * DAY
    assert 50 < (points[-1].deviation or 0) < 350
    soon = Point(played[-1].at + 10 * DAY, 1490, 60, played=False)
    assert shorten_rest([*played, soon])[-1] == soon


def test_points_that_time_made_are_not_in_the_table() -> None:
    points = [*course([1500.0, 1520.0]), Point(START + 900 * DAY, 1520, 80, played=False)]
    assert [row[1] for row in draw(points).rows] == [1520.0, 1500.0]


def test_a_single_game_can_be_drawn() -> None:
    chart = draw(course([1512.0]))
    assert coordinates(chart.line) == [(50.0, 50.0)]
    assert len(chart.y_ticks) >= 2


@given(st.floats(-10_000, 10_000), st.floats(0.5, 10_000))
def test_number_ticks_are_few_and_inside(low: float, span: float) -> None:
    ticks = number_ticks(low, low + span)
    assert 1 <= len(ticks) <= 7
    assert all(low - 1e-6 * span <= tick <= low + span * (1 + 1e-6) for tick in ticks)
    assert ticks == sorted(set(ticks))


@given(
    st.timedeltas(timedelta(0), timedelta(days=80_000)).map(lambda later: START + later),
    st.floats(0.05, 90_000),
)
def test_time_ticks_are_few_and_inside(start: datetime, days: float) -> None:
    end = start + days * DAY
    ticks = [tick.at for tick in time_ticks(start, end)]
    assert len(ticks) <= 8
    assert all(start <= tick <= end for tick in ticks)
    assert ticks == sorted(set(ticks))


def test_a_long_history_is_counted_in_round_years() -> None:
    ticks = time_ticks(START, START + timedelta(days=154 * 365.25))
    assert [tick.at.year for tick in ticks] == [1875, 1900, 1925, 1950, 1975, 2000, 2025]
    assert {tick.unit for tick in ticks} == {"year"}
