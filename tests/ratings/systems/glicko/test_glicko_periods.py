"""What periods of Glicko and Glicko-2 count, explain, foresee and refuse."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from ratings.systems import Duels, PeriodSystem, Ratings, System, create

NAMES = ("glicko", "glicko2")
# Of an established player, a new one, a provisional one, and one who only watches.
GAMES, COUNTED = [40, 0, 5, 9], [40, 0, 2, 9]
EVENT = Duels(np.array([0, 0, 2, 1]), np.array([1, 2, 0, 2]), np.array([1.0, 0.5, 0.0, 1.0]))
NONE = Duels(np.empty(0, int), np.empty(0, int), np.empty(0))


def field(deviation: float = 50.0) -> Ratings:
    columns = [1500.0, 1400.0, 1600.0, 1700.0], [deviation, 350.0, 100.0, 50.0], None
    return Ratings(*columns, np.array(GAMES), np.array(COUNTED))  # type: ignore[arg-type]


def pair(games: int = 0) -> Ratings:
    """Two who are sure enough, of so many games, all counted."""
    return Ratings([1500.0] * 2, [60.0] * 2, None, [games] * 2, [games] * 2)  # type: ignore[arg-type]


def rated(system: System, before: Ratings, *, all_count: bool) -> Iterator[Ratings]:
    """The event by every method."""
    yield system.rate(before, EVENT, all_count=all_count)
    yield system.rate_event(before, EVENT, all_count=all_count)
    yield system.rate_explained(before, EVENT, all_count=all_count)[0]
    yield system.rate_event_explained(before, EVENT, all_count=all_count)[0]


@pytest.mark.parametrize("name", NAMES)
class TestCounting:
    def test_nobody_has_played_at_the_start(self, name: str) -> None:
        start = create(name).initial(2)
        assert (start.value.tolist(), start.games.tolist()) == ([1500] * 2, [0] * 2)
        assert start.games.dtype == start.counted.dtype == np.int64
        assert not np.shares_memory(start.games, start.counted)

    def test_games_against_the_established_count(self, name: str) -> None:
        for after in rated(create(name), field(), all_count=False):
            assert after.games.tolist() == [43, 2, 8, 9]
            assert after.counted.tolist() == [40, 1, 4, 9]
            assert after.games.dtype == after.counted.dtype == np.int64

    def test_all_games_count_if_told(self, name: str) -> None:
        for after in rated(create(name), field(), all_count=True):
            assert after.games.tolist() == [43, 2, 8, 9]
            assert after.counted.tolist() == [43, 2, 5, 9]

    def test_none_counts_where_nobody_is_established(self, name: str) -> None:
        for after in rated(create(name), field(deviation=200.0), all_count=False):
            assert after.games.tolist() == [43, 2, 8, 9]
            assert after.counted.tolist() == COUNTED

    def test_by_every_method_not_all_count_unless_told(self, name: str) -> None:
        system = create(name)
        for rate in (system.rate, system.rate_event):
            assert rate(field(), EVENT).counted.tolist() == [40, 1, 4, 9]
        for explain in (system.rate_explained, system.rate_event_explained):
            assert explain(field(), EVENT)[0].counted.tolist() == [40, 1, 4, 9]

    def test_of_many_games_every_one_is_weighed(self, name: str) -> None:
        """More than are computed at a time: each says the same, and the first and last are told."""
        many = Duels(np.zeros(40_000, int), np.ones(40_000, int), np.resize([1.0, 0.0], 40_000))
        after, changes = create(name, deviation_min=1).rate_explained(field(), many)
        gained = np.bincount(changes.player, changes.contribution, 4)
        assert after.value == pytest.approx(field().value + gained, abs=1e-6)
        assert len(np.unique(changes.expected)) == 2
        assert after.games.tolist() == [40_040, 40_000, 5, 9]
        assert after.deviation is not None
        information = 1 / after.deviation[:2] ** 2
        half = create(name, deviation_min=1).rate(field(), many.part(0, 20_000)).deviation
        assert half is not None
        assert information == pytest.approx(2 / half[:2] ** 2, rel=0.01)

    def test_a_period_without_games_changes_nobody(self, name: str) -> None:
        after, changes = create(name).rate_explained(field(), NONE)
        assert after.value.tolist() == field().value.tolist()
        assert after.value.dtype == np.float64
        assert (after.games.tolist(), len(changes)) == (GAMES, 0)


@pytest.mark.parametrize("name", NAMES)
class TestBeyondTheFloor:
    """An operator has raised it since: who is beneath it counts as if on it."""

    def test_time_begins_on_it(self, name: str) -> None:
        deviation = create(name, deviation_min=80).age(field(), 0).deviation
        assert deviation is not None
        assert deviation.tolist() == [80, 350, 100, 80]

    def test_who_plays_is_rated_from_it_and_who_does_not_keeps_his(self, name: str) -> None:
        system = create(name, deviation_min=80)
        after, raised = system.rate(field(), EVENT), system.rate(field(deviation=80.0), EVENT)
        assert after.value.tolist() == raised.value.tolist()
        assert after.deviation is not None
        assert raised.deviation is not None
        assert after.deviation[:3].tolist() == raised.deviation[:3].tolist() != [50, 350, 100]
        assert after.deviation[3] == 50


@pytest.mark.parametrize("name", NAMES)
class TestStatus:
    def test_is_told_as_it_was_before(self, name: str) -> None:
        _, changes = create(name).rate_explained(field(), EVENT)
        assert changes.status_before.tolist() == [2, 0, 2, 1, 1, 2, 0, 1]
        assert changes.player.tolist() == [0, 1, 0, 2, 2, 0, 1, 2]
        assert changes.opponent.tolist() == [1, 0, 2, 0, 0, 2, 2, 1]

    def test_one_game_makes_nobody_new(self, name: str) -> None:
        status = create(name).status(pair(1))
        assert status.tolist() == [1, 1]
        assert status.dtype == np.int8
        assert create(name, established_after=1).status(pair(1)).tolist() == [2, 2]
        assert create(name).status(pair(29)).tolist() == [1, 1]
        unplayed = Ratings([1500.0], [60.0], None, [0], [40])  # type: ignore[arg-type]
        assert create(name).status(unplayed).tolist() == [0]


@pytest.mark.parametrize("name", NAMES)
class TestForeseen:
    def test_nobody_has_the_side_unless_told(self, name: str) -> None:
        assert create(name, side_advantage=80).expected(pair(), [0], [1]).tolist() == [0.5]

    def test_keeps_the_shape_of_the_question(self, name: str) -> None:
        asked = create(name).expected(field(), [[0, 1], [2, 3]], 1)
        one_by_one = [create(name).expected(field(), [who], [1])[0] for who in range(4)]
        assert asked.tolist() == [one_by_one[:2], one_by_one[2:]]

    def test_a_difference_without_end_is_sure(self, name: str) -> None:
        far = Ratings([1e308, -1e308], [60.0] * 2, None, [0] * 2, [0] * 2)  # type: ignore[arg-type]
        assert create(name).expected(far, [0, 1], [1, 0]) == pytest.approx([1, 0])
        _, changes = create(name).rate_explained(far, Duels([0], [1], [1.0]))  # type: ignore[arg-type]
        assert changes.expected == pytest.approx([1, 0])

    def test_the_largest_deviation_is_reached(self, name: str) -> None:
        system = create(name)
        assert np.isfinite(system.periods_until([340.0], 350)).all()
        never = system.periods_until([400.0, 399.9999, 351.0], 400)
        assert never.tolist() == [0, math.inf, math.inf]


def test_the_slowly_forgotten_are_forgotten_too() -> None:
    glicko = create("glicko", c=0.5)
    assert glicko.age(pair(), 1e300).deviation == pytest.approx([350, 350])
    assert glicko.periods_until([60.0], 70).tolist() == [(70**2 - 60**2) * 4]
    assert create("glicko", c=1).periods_until([99.9975], 100) == pytest.approx([0.49999375])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("floor", [30.0, 90.0])
def test_a_game_alone_is_told_as_among_all(name: str, floor: float) -> None:
    """With its player's worth, at the floor of the deviation too."""
    system, before = create(name, deviation_min=floor, side_advantage=40.0), field()
    event = Duels(EVENT.first, EVENT.second, EVENT.score, np.array([1.0, 0.0, 1.0, -1.0]))
    _, whole = system.rate_event_explained(before, event)
    assert isinstance(system, PeriodSystem)
    assert whole.worth is not None
    worth = np.zeros(4)
    worth[whole.player] = whole.worth
    for game in range(len(event)):
        alone = system.explain_games(before, event.part(game, game + 1), worth)
        rows = slice(2 * game, 2 * game + 2)
        for column in ("player", "opponent", "expected", "actual", "status_before"):
            assert getattr(alone, column).tolist() == getattr(whole, column)[rows].tolist()
        for column in ("weight", "contribution"):
            assert getattr(alone, column) == pytest.approx(getattr(whole, column)[rows], rel=1e-12)
