"""Periods of Glicko and Glicko-2 in which few of many players play."""

import numpy as np
import pytest

from ratings.systems import Duels, Ratings, Sums, create

ALL, SOME = 5000, 100
WHO = np.arange(7, ALL, ALL // SOME)  # few, far apart
FIRST, SECOND = np.array([3, 90, 3, 41]), np.array([90, 41, 17, 3])
SCORE, SIDE = np.array([1.0, 0.5, 0.0, 1.0]), np.array([1.0, 0.0, -1.0, 1.0])
AMONG_SOME = Duels(FIRST, SECOND, SCORE, SIDE)
AMONG_ALL = Duels(WHO[FIRST], WHO[SECOND], SCORE, SIDE)


def crowd(*, volatile: bool) -> Ratings:
    """Among them players beyond the floor and the ceiling, established ones, and new ones."""
    dice = np.random.default_rng(5)
    return Ratings(
        dice.normal(1500.0, 300.0, ALL),
        dice.uniform(1.0, 400.0, ALL),
        dice.uniform(0.03, 0.1, ALL) if volatile else None,
        (games := dice.integers(0, 80, ALL)),
        games // 2,
    )


def columns(ratings: Ratings) -> list[list[float] | None]:
    found = [ratings.value, ratings.deviation, ratings.volatility, ratings.games, ratings.counted]
    return [None if column is None else column.tolist() for column in found]


@pytest.mark.parametrize("all_count", [False, True])
@pytest.mark.parametrize(
    ("name", "volatile"), [("glicko", False), ("glicko2", False), ("glicko2", True)]
)
def test_they_are_rated_as_if_nobody_else_were_there(
    name: str, volatile: bool, all_count: bool
) -> None:
    system, before = create(name, side_advantage=40), crowd(volatile=volatile)
    kept = columns(before)
    after, changes = system.rate_explained(before, AMONG_ALL, all_count=all_count)
    same = system.rate(before, AMONG_ALL, all_count=all_count)
    few, told = system.rate_explained(before.take(WHO), AMONG_SOME, all_count=all_count)

    assert columns(after) == columns(same)
    assert columns(after.take(WHO)) == columns(few)
    rest = np.setdiff1d(np.arange(ALL), WHO)
    untouched = before.take(rest)
    if not volatile:  # then all have that of the start
        untouched = untouched.with_columns(volatility=system.initial(len(rest)).volatility)
    assert columns(after.take(rest)) == columns(untouched)
    assert columns(before) == kept

    assert changes.player.tolist() == WHO[told.player].tolist()
    assert changes.opponent.tolist() == WHO[told.opponent].tolist()
    for column in ("game", "expected", "actual", "weight", "contribution", "value_before"):
        assert getattr(changes, column).tolist() == getattr(told, column).tolist()
    assert changes.value_after.tolist() == told.value_after.tolist()
    assert changes.status_before.tolist() == told.status_before.tolist()


@pytest.mark.parametrize("name", ["glicko", "glicko2"])
@pytest.mark.parametrize("are_few", [True, False])
def test_sums_by_player_are_those_of_the_games(name: str, are_few: bool) -> None:
    system, many = create(name, side_advantage=40), crowd(volatile=False)
    before, games = (many, AMONG_ALL) if are_few else (many.take(WHO), AMONG_SOME)
    explained, changes = system.rate_event_explained(before, games)
    after, sums = system.rate_event_summed(before, games)
    assert columns(after) == columns(explained)

    by_game = Sums.of(changes, len(before))
    for who in set(changes.player.tolist()):
        mine = changes.player == who
        assert by_game.expected[who] == pytest.approx(changes.expected[mine].sum())
        assert by_game.actual[who] == changes.actual[mine].sum()
        assert by_game.weight[who] == pytest.approx(changes.weight[mine].mean())
        assert by_game.status_before[who] == changes.status_before[mine][0]
        assert changes.worth is not None
        assert by_game.worth is not None
        assert sums.worth is not None
        assert sums.worth[who] == by_game.worth[who] == changes.worth[mine][0]
        for column in ("actual", "status_before"):
            assert getattr(sums, column)[who] == getattr(by_game, column)[who]
        for column in ("expected", "weight"):
            there = getattr(by_game, column)[who]
            assert getattr(sums, column)[who] == pytest.approx(there, rel=1e-12)


@pytest.mark.parametrize("name", ["glicko", "glicko2"])
def test_nobody_of_many_plays(name: str) -> None:
    before = create(name).initial(ALL)
    none = Duels(np.empty(0, int), np.empty(0, int), np.empty(0))
    after, changes = create(name).rate_explained(before, none)
    assert columns(after) == columns(before)
    assert len(changes) == 0
    assert columns(create(name).rate(before, none)) == columns(before)


@pytest.mark.parametrize("name", ["glicko", "glicko2"])
def test_who_is_not_among_them_is_named(name: str) -> None:
    stranger = Duels(np.array([0]), np.array([ALL]), np.array([1.0]))
    with pytest.raises(ValueError, match=f"player {ALL}: must be below {ALL}"):
        create(name).rate(create(name).initial(ALL), stranger)
