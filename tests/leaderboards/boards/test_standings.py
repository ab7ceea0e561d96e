"""Boards follow ratings, rules and time."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from events import outbox
from foundation import clock
from leaderboards.boards import ranking
from leaderboards.boards import refresh as standings
from leaderboards.models import Board, RankBucket, Standing
from leaderboards.tasks import flip_due_standings
from ratings.models import Ladder, Mode, ParameterVersion, RatingChange, RatingPeriod
from ratings.tracks.parameters import change_ladder_rules, create_track
from tests.leaderboards.cast import DAY, NOON, ROOKIE, Cast, check_buckets, make_cast, plain_order

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("declared")]


def refresh(cast: Cast, at: datetime = NOON) -> int:
    with clock.at(at):
        return standings.refresh(cast.track.pk)


def movements(cast: Cast, at: datetime) -> dict[str, tuple[int | None, float | None]]:
    """Movement and points of whoever is listed, by name."""
    with clock.at(at):
        rows = ranking.page(cast.track).rows
    return {row.name: (row.movement, row.points) for row in rows}


def listed(cast: Cast, at: datetime) -> list[str]:
    with clock.at(at):
        return [row.name for row in ranking.page(cast.track).rows]


def test_refreshing_again_changes_nothing() -> None:
    cast = make_cast(3)
    cast.values([1600, 1500, 1400])
    assert refresh(cast) == 3
    before = list(Standing.objects.values())
    assert refresh(cast) == 0
    assert list(Standing.objects.values()) == before
    check_buckets(cast.track)


def test_only_what_changed_is_written() -> None:
    cast = make_cast(3)
    cast.values([1600, 1500, 1400])
    refresh(cast)
    cast.rate({2: {"value": 1700}})
    assert refresh(cast) == 1
    assert listed(cast, NOON) == ["Player 2", "Player 0", "Player 1"]
    check_buckets(cast.track)


ACTIONS = st.lists(
    st.one_of(
        st.tuples(
            st.just("rate"),
            st.dictionaries(
                st.integers(0, 5), st.tuples(st.floats(1400, 1420), st.booleans()), min_size=1
            ),
        ),
        st.tuples(st.just("refresh"), st.none()),
        st.tuples(st.just("flip"), st.none()),
        st.tuples(st.just("relist"), st.none()),
        st.tuples(st.just("wait"), st.integers(1, 60)),
        st.tuples(st.just("rest"), st.integers(1, 120)),
        st.tuples(st.just("provisional"), st.booleans()),
    ),
    max_size=14,
)


def act(cast: Cast, action: str, value: Any, now: datetime) -> None:
    """One step of a history."""
    if action == "rate":
        cast.rate(
            {
                position: {
                    "value": rating,
                    "last_played_at": now,
                    "as_of": now,
                    **({} if established else ROOKIE),
                }
                for position, (rating, established) in value.items()
            }
        )
    elif action == "refresh":
        standings.refresh(cast.track.pk)
    elif action == "flip":
        standings.flip_due()
    elif action == "relist":
        standings.relist(cast.track.pk)
    elif action in {"rest", "provisional"}:
        name = "inactive_after_days" if action == "rest" else "lists_provisional"
        change_ladder_rules(ladder=cast.ladder, changes={name: value}, actor=None, note="")


@pytest.mark.full
@settings(max_examples=40)
@given(actions=ACTIONS)
def test_buckets_equal_a_recount_after_any_history(actions: list[tuple[str, Any]]) -> None:
    with transaction.atomic():
        cast, now = make_cast(6), NOON
        refresh(cast, now)
        for action, value in actions:
            now += value * DAY if action == "wait" else timedelta(seconds=1)
            with clock.at(now):
                act(cast, action, value, now)
            check_buckets(cast.track)
        with clock.at(now):
            flip_due_standings()
            shown = [row.player_id for row in ranking.page(cast.track).rows]
            everyone = [row.player_id for row in ranking.page(cast.track, everyone=True).rows]
        check_buckets(cast.track)
        cast.ladder.refresh_from_db()
        cast.track.ladder.refresh_from_db()
        for rows, whole in ((shown, False), (everyone, True)):
            assert rows == [r.player_id for r in plain_order(cast.track, now, everyone=whole)]
        transaction.set_rollback(True)


def test_a_rating_period_moves_players() -> None:
    cast = make_cast(4, system="glicko", period_days=30)
    cast.track.starts_at, cast.track.closed_periods = NOON - 30 * DAY, 1
    cast.values([1600, 1500, 1400], deviation=50.0)
    cast.track.save()
    refresh(cast)
    cast.track.closed_periods = 2
    cast.track.save()
    cast.rate({2: {"value": 1550, "deviation": 50.0}, 3: {"value": 1450, "deviation": 50.0}})
    refresh(cast, NOON + 30 * DAY)
    assert movements(cast, NOON + 30 * DAY) == {
        "Player 0": (0, 0),
        "Player 2": (1, 150),
        "Player 1": (-1, 0),
        "Player 3": (None, None),
    }
    assert Board.objects.get().compared_to == NOON


def test_a_period_without_games_ends_movement() -> None:
    cast = make_cast(2, system="glicko", period_days=30)
    cast.track.starts_at, cast.track.closed_periods = NOON - 30 * DAY, 1
    cast.track.save()
    cast.values([1600, 1500], deviation=50.0)
    refresh(cast)
    for closed, value in ((2, 1700), (3, None)):
        cast.track.closed_periods = closed
        cast.track.save()
        if value:
            cast.rate({1: {"value": value, "deviation": 50.0}})
        refresh(cast, NOON + 31 * DAY)
        check_buckets(cast.track)
    assert movements(cast, NOON + 31 * DAY) == {"Player 1": (0, 0), "Player 0": (0, 0)}


def test_periods_closed_at_once_are_compared_by_the_ledger() -> None:
    """No board was ever written between them, as after an import: what changed in the last one counts."""
    cast = make_cast(4, system="glicko", period_days=30)
    cast.track.starts_at, cast.track.closed_periods = NOON - 90 * DAY, 3
    cast.track.save()
    cast.values([1600, 1550, 1500], deviation=50.0)
    cast.rate({3: {"value": 1400, "deviation": 50.0, "games": 2, "wins": 2, **_NO_OTHERS}})
    _close_period(cast, 2, {1: (1700, 1550, 5), 3: (1500, 1400, 2)})
    refresh(cast)
    with clock.at(NOON):
        rows = ranking.page(cast.track, everyone=True).rows
    assert [(row.name, row.listed, row.movement, row.points) for row in rows] == [
        ("Player 0", True, 1, 0),
        ("Player 1", True, -1, -150),
        ("Player 2", True, 0, 0),
        ("Player 3", False, None, None),
    ]


def test_a_comparison_reads_each_table_once() -> None:
    """Statistics know nothing of standings that the same transaction wrote: no plan may rest on them."""
    cast = make_cast(300, system="glicko", period_days=30)
    cast.track.starts_at, cast.track.closed_periods = NOON - 90 * DAY, 3
    cast.track.save()
    cast.values(range(1200, 1500), deviation=50.0)
    _close_period(cast, 2, {1: (1700, 1201, 5)})
    plans = []

    def explain(execute: Any, sql: str, given: Any, many: bool, context: Any) -> Any:
        if "SET previous_rank" in sql:
            plans.append(str(execute(f"EXPLAIN {sql}", given, many, context).fetchall()))
        return execute(sql, given, many, context)

    with connection.execute_wrapper(explain):
        refresh(cast)
    assert len(plans) == 1
    assert "Nested Loop" not in plans[0]
    with connection.cursor() as cursor:
        cursor.execute("SHOW enable_nestloop")
        assert cursor.fetchone() == ("on",)


_NO_OTHERS = {"draws": 0, "losses": 0, "leaves": 0, "counted": 2}


def _close_period(cast: Cast, number: int, changes: dict[int, tuple[float, float, int]]) -> None:
    """Write the period's ledger: before, after and games by position."""
    version = ParameterVersion.objects.get(track=cast.track)
    begin = NOON + (number - 3) * 30 * DAY
    columns = dict.fromkeys(("first_seq", "last_seq", "games", "players", "new_players"), 1)
    period = RatingPeriod.objects.create(
        track=cast.track,
        number=number,
        version=version,
        starts_at=begin,
        ends_at=begin + 30 * DAY,
        closed_at=begin + 30 * DAY,
        mean=1500.0,
        spread=100.0,
        **columns,
    )
    for position, (before, after, games) in changes.items():
        RatingChange.objects.create(
            track=cast.track,
            player=cast.players[position],
            kind="period",
            period=period,
            at=period.ends_at,
            games=games,
            value_before=before,
            value_after=after,
        )


def test_a_track_that_rates_at_once_is_compared_daily() -> None:
    cast = make_cast(2)
    cast.values([1600, 1500])
    refresh(cast)
    cast.rate({1: {"value": 1700}})
    refresh(cast, NOON + timedelta(hours=23))
    assert movements(cast, NOON)["Player 1"] == (1, 200)
    with clock.at(NOON + timedelta(hours=25)):
        flip_due_standings()
    assert movements(cast, NOON)["Player 1"] == (0, 0)
    assert Board.objects.get().compared_to == NOON + timedelta(hours=25)


def test_the_first_ratings_on_an_empty_board_are_compared_at_once() -> None:
    cast = make_cast(2)
    assert refresh(cast) == 0  # as every minute, before anybody has played
    assert Board.objects.get().compared_to == NOON
    cast.values([1600, 1500])
    first = NOON + timedelta(hours=1)
    refresh(cast, first)
    assert movements(cast, first) == {"Player 0": (0, 0), "Player 1": (0, 0)}
    assert Board.objects.get().compared_to == first
    cast.rate({1: {"value": 1700}})
    refresh(cast, NOON + timedelta(hours=2))
    assert movements(cast, NOON)["Player 1"] == (1, 200)


def test_time_hides_and_play_returns() -> None:
    cast = make_cast(2)
    cast.values([1600, 1500])
    cast.rate({1: {"value": 1500, "last_played_at": NOON + 10 * DAY}})
    refresh(cast, NOON + 10 * DAY)
    with clock.at(NOON + 90 * DAY):
        assert standings.flip_due() == 1
        assert standings.flip_due() == 0
        assert ranking.counts(cast.track) == ranking.Counts(1, 2, inactive=1, provisional=0)
    assert listed(cast, NOON + 90 * DAY) == ["Player 1"]
    check_buckets(cast.track)
    cast.rate({0: {"value": 1610, "last_played_at": NOON + 91 * DAY}})
    refresh(cast, NOON + 91 * DAY)
    assert listed(cast, NOON + 91 * DAY) == ["Player 0", "Player 1"]
    check_buckets(cast.track)


def test_a_deviation_that_grows_hides_at_the_computed_moment() -> None:
    cast = make_cast(1, system="glicko", period_days=30)
    change_ladder_rules(
        ladder=cast.ladder, changes={"inactive_after_days": 9000}, actor=None, note=""
    )
    cast.values([1600], deviation=50.0)
    refresh(cast)
    until = Standing.objects.get().listed_until
    days = (110**2 - 50**2) / ((350**2 - 50**2) / 10000)
    assert until is not None
    assert (until - NOON) / DAY == pytest.approx(days)
    with clock.at(until - timedelta(seconds=1)):
        assert standings.flip_due() == 0
        assert not ranking.page(cast.track).rows[0].provisional
    with clock.at(until + timedelta(seconds=1)):
        assert standings.flip_due() == 1
        assert ranking.counts(cast.track).provisional == 1
        assert ranking.page(cast.track, everyone=True).rows[0].provisional


def test_an_operator_who_changes_the_rule_changes_the_board() -> None:
    cast = make_cast(3)
    cast.rate({0: {"value": 1600}, 1: {"value": 1900, **ROOKIE}, 2: {"value": 1500}})
    cast.rate({2: {"value": 1500, "last_played_at": NOON - 20 * DAY}})
    refresh(cast)
    assert listed(cast, NOON) == ["Player 0", "Player 2"]
    for changes, expected in (
        ({"lists_provisional": True}, ["Player 1", "Player 0", "Player 2"]),
        ({"inactive_after_days": 10.0}, ["Player 1", "Player 0"]),
        ({"lists_provisional": False, "established_after": 3}, ["Player 1", "Player 0"]),
    ):
        change_ladder_rules(ladder=cast.ladder, changes=changes, actor=None, note="")
        with clock.at(NOON):
            flip_due_standings()
        assert listed(cast, NOON) == expected
        check_buckets(cast.track)


def test_nobody_has_a_standing_on_a_ladder_of_normal_mode() -> None:
    cast = make_cast(2, mode=Mode.NORMAL)
    cast.values([1600, 1500])
    assert refresh(cast) == 0
    assert not Standing.objects.exists()
    assert not Board.objects.exists()


def test_a_ladder_that_becomes_normal_loses_its_board_and_gets_it_back() -> None:
    cast = make_cast(2)
    cast.values([1600, 1500])
    refresh(cast)
    for mode, count in ((Mode.NORMAL, 0), (Mode.RANKED, 2)):
        cast.ladder.mode = mode
        cast.ladder.save()
        with clock.at(NOON):
            flip_due_standings()
        assert Standing.objects.count() == count
        assert RankBucket.objects.count() == count


def test_a_track_that_is_gone_is_no_error() -> None:
    assert standings.refresh(10**9) == 0


def test_lost_events_are_made_up_for() -> None:
    cast = make_cast(1)
    cast.values([1600])
    with clock.at(NOON):
        assert standings.refresh_due() == 1
        assert standings.refresh_due() == 0


def test_a_standing_must_be_its_rating_s() -> None:
    cast = make_cast(2)
    cast.values([1600])
    refresh(cast)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError, match="standing_of_rating"):
        Standing.objects.update(player=cast.players[1])


@pytest.mark.django_db(transaction=True)
def test_events_bring_boards_up_to_date() -> None:
    cast = make_cast(2)
    cast.values([1600, 1500])
    with transaction.atomic():
        outbox.publish("ratings.changed", track=cast.track.pk, revision=1)
        outbox.publish("period.closed", track=cast.track.pk, last=1)
        outbox.publish("ratings.changed", track=cast.track.pk, revision=1)
    outbox.deliver()
    assert Board.objects.get().revision == 1
    assert Standing.objects.count() == 2


def test_a_board_that_fails_does_not_hold_up_the_others() -> None:
    broken = make_cast(2)
    broken.values([1500])
    broken.track.versions.update(parameters={"k_new": "many"})
    ladder = Ladder.objects.create(game=broken.ladder.game, slug="rapid", name="Rapid")
    track = create_track(ladder=ladder, system="elo", parameters={}, period_days=None, shown=True)
    sound = Cast(ladder, track, broken.players)
    sound.values([1700, 1600])
    with clock.at(NOON):
        standings.refresh_due()
    assert not Board.objects.filter(track=broken.track).exists()
    assert listed(sound, NOON) == ["Player 0", "Player 1"]
