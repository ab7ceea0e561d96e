"""Pages, ranks and counts are what sorting everybody would give."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from foundation import clock
from leaderboards.boards import ranking, refresh
from leaderboards.boards.ranking import Cursor
from leaderboards.boards.ranks import PlayerRank
from ratings.models import Mode, RatingTrack, Status
from tests.leaderboards.cast import DAY, NOON, ROOKIE, make_cast, plain_order, plain_rank

pytestmark = pytest.mark.django_db

# Few different values, so that many are equal; some beside the edge of a bucket.
VALUES = st.one_of(
    st.sampled_from([-3.0, 0.0, 1499.5, 1500.0, 1500.25, 1501.0]),
    st.floats(-50, 3000, allow_nan=False),
)
POOLS = st.lists(st.tuples(VALUES, st.booleans(), st.integers(0, 120)), min_size=1, max_size=20)


def fill(pool: list[tuple[float, bool, int]]) -> RatingTrack:
    """A board on which some are provisional and some have rested too long."""
    cast = make_cast(len(pool))
    cast.rate(
        {
            position: {
                "value": value,
                "last_played_at": NOON - rested * DAY,
                **({} if established else ROOKIE),
            }
            for position, (value, established, rested) in enumerate(pool)
        }
    )
    refresh.refresh(cast.track.pk)
    return cast.track


def read_on(track: RatingTrack, *, size: int, everyone: bool) -> list[ranking.Row]:
    """All pages, from the first to the last."""
    rows: list[ranking.Row] = []
    page = ranking.page(track, size=size, everyone=everyone)
    while True:
        rows += page.rows
        if page.next is None:
            return rows
        page = ranking.page(track, after=page.next, size=size, everyone=everyone)


def read_back(track: RatingTrack, last: ranking.Page, *, size: int, everyone: bool) -> list[Any]:
    """All pages, from the last to the first, in reading order."""
    rows = list(last.rows)
    while last.previous is not None:
        last = ranking.page(track, before=last.previous, size=size, everyone=everyone)
        rows = [*last.rows, *rows]
    return rows


@settings(max_examples=15)
@given(pool=POOLS, size=st.integers(1, 7), everyone=st.booleans())
def test_everything_equals_a_plain_sort(
    pool: list[tuple[float, bool, int]], size: int, everyone: bool
) -> None:
    with transaction.atomic(), clock.at(NOON):
        track = fill(pool)
        plain = plain_order(track, NOON, everyone=everyone)
        values = [rating.value for rating in plain]
        rows = read_on(track, size=size, everyone=everyone)
        expected = [(rating.player_id, plain_rank(values, rating.value)) for rating in plain]
        assert [(row.player_id, row.rank) for row in rows] == expected
        for position, (player_id, rank) in enumerate(expected, start=1):
            alone = ranking.around(track, player_id, size=1, everyone=everyone)
            assert alone is not None
            assert [(row.player_id, row.rank) for row in alone.rows] == [(player_id, rank)]
            if not everyone:
                found = PlayerRank(rank, listed=len(expected))
                assert ranking.ranks_on([track], player_id) == {track.pk: found}
            page = ranking.at_rank(track, position, size=size, everyone=everyone)
            assert page.rows == tuple(rows[position - 1 : position - 1 + size])
            assert page.first_rank == rank
            middle = ranking.around(track, player_id, size=size, everyone=everyone)
            assert middle is not None
            begin = max(0, position - 1 - size // 2)
            assert middle.rows == tuple(rows[begin : position - 1 - size // 2 + size])
        if rows:
            last = ranking.at_rank(track, len(rows), size=size, everyone=everyone)
            assert last.next is None
            assert read_back(track, last, size=size, everyone=everyone) == rows
        assert ranking.at_rank(track, len(rows) + 1, everyone=everyone) == ranking.Page()
        transaction.set_rollback(True)


@settings(max_examples=10)
@given(pool=POOLS)
def test_counts_add_up(pool: list[tuple[float, bool, int]]) -> None:
    with transaction.atomic(), clock.at(NOON):
        counts = ranking.counts(fill(pool))
        established = [rested for _, is_established, rested in pool if is_established]
        listed = sum(rested < 90 for rested in established)
        assert counts.total == len(pool)
        assert counts.listed == listed
        assert counts.inactive == len(established) - listed
        assert counts.provisional == len(pool) - len(established)
        transaction.set_rollback(True)


def test_equal_ratings_share_a_rank() -> None:
    cast = make_cast(4)
    cast.values([1600, 1500, 1500, 1400])
    with clock.at(NOON):
        refresh.refresh(cast.track.pk)
        assert [row.rank for row in ranking.page(cast.track).rows] == [1, 2, 2, 4]
        second = ranking.page(cast.track, size=2).next
        assert [row.rank for row in ranking.page(cast.track, after=second).rows] == [2, 4]


def test_a_row_tells_what_the_page_shows() -> None:
    cast = make_cast(1, system="glicko", period_days=30)
    cast.values([1600], deviation=50.0, last_played_at=NOON - DAY)
    with clock.at(NOON + 45 * DAY):
        refresh.refresh(cast.track.pk)
        (row,) = ranking.page(cast.track).rows
    assert (row.name, row.value, row.games) == ("Player 0", 1600, 40)
    assert (row.win_share, row.leave_share) == (0.5, 0.1)
    assert (row.status, row.provisional, row.inactive) == (Status.ESTABLISHED, False, False)
    growth = (350**2 - 50**2) / 10000  # of the squared deviation, a day, by "days to forget"
    assert row.deviation == pytest.approx((50**2 + 45 * growth) ** 0.5)


def test_deviation_makes_provisional_as_of_now() -> None:
    cast = make_cast(1, system="glicko", period_days=30)
    cast.values([1600], deviation=50.0)
    with clock.at(NOON):
        refresh.refresh(cast.track.pk)
    with clock.at(NOON + 900 * DAY):
        (row,) = ranking.page(cast.track, everyone=True).rows
    assert (row.status, row.inactive) == (Status.PROVISIONAL, True)


def test_a_board_of_everyone_keeps_the_movement_of_the_listed() -> None:
    cast = make_cast(3)
    with clock.at(NOON):
        cast.rate({0: {"value": 1900, **ROOKIE}, 1: {"value": 1600}, 2: {"value": 1500}})
        refresh.refresh(cast.track.pk)
    with clock.at(NOON + DAY):
        cast.rate({2: {"value": 1700}})
        refresh.refresh(cast.track.pk)
        rows = ranking.page(cast.track, everyone=True).rows
    assert [(row.rank, row.movement, row.listed) for row in rows] == [
        (1, None, False),
        (2, 1, True),
        (3, -1, True),
    ]


@pytest.mark.parametrize("everyone", [False, True])
def test_ladders_of_normal_mode_read_as_empty(everyone: bool) -> None:
    cast = make_cast(2)
    cast.values([1600, 1500])
    with clock.at(NOON):
        refresh.refresh(cast.track.pk)
        assert len(ranking.page(cast.track).rows) == 2
        cast.ladder.mode = Mode.NORMAL  # the standings are still there: reading must not find them
        cast.ladder.save()
        player = cast.players[0].pk
        assert ranking.page(cast.track, everyone=everyone) == ranking.Page()
        assert ranking.at_rank(cast.track, 1, everyone=everyone) == ranking.Page()
        assert ranking.around(cast.track, player, everyone=everyone) is None
        assert ranking.ranks_on([cast.track], player) == {}
        assert ranking.counts(cast.track) == ranking.Counts()
        assert ranking.summary(cast.track) == ranking.Summary()


def test_hidden_players_have_no_rank_but_among_everyone() -> None:
    cast = make_cast(2)
    cast.rate({0: {"value": 1900, **ROOKIE}, 1: {"value": 1600}})
    player = cast.players[0].pk
    with clock.at(NOON):
        refresh.refresh(cast.track.pk)
        assert ranking.ranks_on([cast.track], player) == {cast.track.pk: PlayerRank(None, 1)}
        assert ranking.around(cast.track, player) is None
        found = ranking.around(cast.track, player, size=1, everyone=True)
        assert found is not None
        assert [(row.player_id, row.rank) for row in found.rows] == [(player, 1)]


def test_summary_says_when_the_board_is_brought_up_next() -> None:
    cast = make_cast(1, system="glicko", period_days=30)
    cast.track.starts_at, cast.track.closed_periods = NOON, 2
    cast.track.save()
    cast.values([1600], deviation=50.0)
    with clock.at(NOON + 60 * DAY):
        refresh.refresh(cast.track.pk)
        summary = ranking.summary(cast.track)
    assert summary.updated_at == NOON + 60 * DAY
    assert summary.next_update == NOON + 90 * DAY
    assert summary.last_closed == ranking.Period(1, NOON + 30 * DAY, NOON + 60 * DAY)
    assert summary.compared_to == NOON + 30 * DAY


def test_summary_of_a_track_that_rates_at_once() -> None:
    cast = make_cast(1)
    cast.values([1600])
    with clock.at(NOON):
        refresh.refresh(cast.track.pk)
        assert ranking.summary(cast.track) == ranking.Summary(updated_at=NOON, compared_to=NOON)


@given(value=st.floats(allow_nan=False, allow_infinity=False), player=st.integers(1, 2**63 - 1))
def test_cursors_survive_an_address(value: float, player: int) -> None:
    text = str(Cursor(value, player))
    assert len(text) == 22
    assert Cursor.parse(text) == Cursor(value, player)


@pytest.mark.parametrize(
    "text",
    ["", "abc", "ä" * 22, "A" * 21, "A" * 22, "A" * 23, "f" * 22, str(Cursor(1.0, 7))[:-1] + "!"],
)
def test_what_is_no_cursor_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="is no place on a leaderboard"):
        Cursor.parse(text)


def test_both_ways_at_once_are_refused() -> None:
    cast = make_cast(1)
    with pytest.raises(ValueError, match="give one of them"):
        ranking.page(cast.track, after=Cursor(1.0, 1), before=Cursor(1.0, 1))


def test_rank_zero_is_refused() -> None:
    cast = make_cast(1)
    with pytest.raises(ValueError, match="rank 0 does not exist"):
        ranking.at_rank(cast.track, 0)


def test_queries_do_not_grow_with_the_page(django_assert_num_queries: Callable[..., Any]) -> None:
    cast = make_cast(30)
    cast.values(range(1500, 1530))
    with clock.at(NOON + timedelta(hours=1)):
        refresh.refresh(cast.track.pk)
        for size in (2, 20):
            with django_assert_num_queries(3):  # board, rows, parameters
                first = ranking.page(cast.track, size=size)
            with django_assert_num_queries(4):  # and the place of the first row
                ranking.page(cast.track, after=first.next, size=size)
            with django_assert_num_queries(4):  # where to begin, with the place of that row
                ranking.at_rank(cast.track, 9, size=size)
            with django_assert_num_queries(6):  # and the player, and rows on both sides
                ranking.around(cast.track, cast.players[15].pk, size=size)
        with django_assert_num_queries(1):
            ranking.ranks_on([cast.track], cast.players[15].pk)
        with django_assert_num_queries(2):
            ranking.counts(cast.track)


@pytest.mark.full
def test_a_page_is_read_by_the_index_whatever_is_known_of_small_tables() -> None:
    """PostgreSQL knows nothing of a table that was never analyzed, and takes all but one in 200 rows not to fit."""
    cast = make_cast(3000)
    cast.values(range(3000), deviation=50.0)
    with clock.at(NOON):
        refresh.refresh(cast.track.pk)
    plans = []

    def explain(execute: Any, sql: str, given: Any, many: bool, context: Any) -> Any:
        if "LIMIT 51" in sql:
            plans.append(str(execute(f"EXPLAIN {sql}", given, many, context).fetchall()))
        return execute(sql, given, many, context)

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE leaderboards_standing, ratings_rating, ratings_player")
    with connection.execute_wrapper(explain):
        assert len(ranking.page(cast.track).rows) == 50
    assert len(plans) == 1
    # Where nobody is hidden, the index of all is as good as that of the listed, and either may be taken.
    assert "Index Scan using standing_" in plans[0]
    assert "Sort" not in plans[0]
