"""The moments of a time of day in a zone, also where clocks are put forward and back."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from matchmaking.rounds.times import moments

BERLIN = ZoneInfo("Europe/Berlin")
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def found(weekdays: int, at: str, zone: ZoneInfo, since: str, days: int) -> list[str]:
    start = utc(since)
    each = moments(weekdays, time.fromisoformat(at), zone, start, start + timedelta(days=days))
    return [f"{moment:%Y-%m-%d %H:%M}" for moment in each]


def test_a_time_stays_where_clocks_show_it() -> None:
    # On 29 March 2026 clocks in Berlin are put forward.
    assert found(127, "20:00", BERLIN, "2026-03-28T12:00", 2) == [
        "2026-03-28 19:00",
        "2026-03-29 18:00",
    ]
    assert found(127, "02:30", BERLIN, "2026-03-28T12:00", 1) == ["2026-03-29 01:30"]
    # On 25 October they are put back, and half past two comes twice.
    assert found(127, "02:30", BERLIN, "2026-10-24T12:00", 2) == [
        "2026-10-25 00:30",
        "2026-10-26 01:30",
    ]


def test_only_on_its_days() -> None:
    monday_and_sunday = 0b1000001
    assert found(monday_and_sunday, "09:15", ZoneInfo("UTC"), "2026-03-01T00:00", 9) == [
        "2026-03-01 09:15", "2026-03-02 09:15", "2026-03-08 09:15", "2026-03-09 09:15",
    ]  # fmt: skip


def test_days_are_those_of_the_zone() -> None:
    # Half past eight on Monday in Auckland is Sunday evening in Greenwich.
    monday = 1
    assert found(monday, "08:30", ZoneInfo("Pacific/Auckland"), "2026-03-01T00:00", 7) == [
        "2026-03-01 19:30"
    ]


@given(
    st.integers(0, 730 * 96).map(lambda number: EPOCH + number * timedelta(minutes=15)),
    st.integers(1, 127),
    st.times(),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]),
    st.integers(0, 96),
)
def test_each_once_however_it_is_looked_at(
    start: datetime, weekdays: int, at: time, zone: str, hours: int
) -> None:

    middle, end = start + timedelta(hours=hours), start + timedelta(hours=96)
    at = at.replace(second=0, microsecond=0)
    whole = list(moments(weekdays, at, ZoneInfo(zone), start, end))
    parts = [
        *moments(weekdays, at, ZoneInfo(zone), start, middle),
        *moments(weekdays, at, ZoneInfo(zone), middle, end),
    ]
    assert whole == parts
    assert all(start < one <= end for one in whole)
