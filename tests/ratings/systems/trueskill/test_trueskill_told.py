"""What TrueSkill tells of games of one against one, counts, and foresees."""

import math

import numpy as np
import pytest

from ratings.systems import Duels, Ratings, create
from ratings.systems.changes import Changes
from tests.ratings.systems.teams import Fixture, as_contests

GAMES = Duels(np.array([1, 2]), np.array([0, 1]), np.array([1.0, 0.5]))
ONE = GAMES.part(0, 1)
TEAMS: Fixture = [(0, [(0, 1.0), (1, 0.5)]), (1, [(2, 1.0)]), (2, [(3, 1.0)])]
COLUMNS = (
    "game",
    "player",
    "opponent",
    "expected",
    "actual",
    "weight",
    "contribution",
    "value_before",
    "value_after",
    "status_before",
    "deviation_before",
    "deviation_after",
)


def field(games: int = 0) -> Ratings:
    value, deviation = np.array([25.0, 28.0, 20.0, 31.0]), np.array([8.0, 5.0, 3.0, 2.0])
    played = np.full(4, games)
    return Ratings(value, deviation, None, played, played)


def rows(changes: Changes) -> list[list[float]]:
    return [getattr(changes, name).tolist() for name in COLUMNS]


class TestExplained:
    def test_row_by_row(self) -> None:
        system, before = create("trueskill"), field(games=30)
        after, changes = system.rate_event_explained(before, GAMES)
        assert changes.game.tolist() == [0, 0, 1, 1]
        assert changes.player.tolist() == [1, 0, 2, 1]
        assert changes.opponent.tolist() == [0, 1, 1, 2]
        assert changes.actual.tolist() == [1, 0, 0.5, 0.5]
        wanted = system.expected(before, changes.player, changes.opponent)
        assert changes.expected == pytest.approx(wanted, abs=1e-12)
        assert changes.status_before.tolist() == [1, 1, 1, 1]
        assert changes.status_before.dtype == np.int8
        assert changes.deviation_before is not None
        assert changes.deviation_before.tolist() == [5, 8, 3, 5]
        assert changes.deviation_after is not None
        assert after.deviation is not None
        assert changes.deviation_after.tolist() == after.deviation[[1, 0, 2, 1]].tolist()
        assert changes.value_before.tolist() == [28, 25, 20, 28]
        assert changes.value_after.tolist() == after.value[[1, 0, 2, 1]].tolist()

    @pytest.mark.parametrize("results", [ONE, as_contests([TEAMS])], ids=["duel", "teams"])
    def test_an_event_of_one_tells_what_the_instant_game_does(self, results: Duels) -> None:
        system = create("trueskill", growth=0.5)
        instant, event = (
            rows(explain(field(), results)[1])
            for explain in (system.rate_explained, system.rate_event_explained)
        )
        for name, one, other in zip(COLUMNS, instant, event, strict=True):
            assert one == pytest.approx(other, rel=1e-9), name

    def test_the_weight_of_what_was_expected_is_a_full_deviations_worth(self) -> None:
        """Even teams of three: half the teams beaten is just what was expected of the middle one."""
        system = create("trueskill", draw_probability=0)
        game: Fixture = [(rank, [(rank, 1.0)]) for rank in range(3)]
        _, changes = system.rate_event_explained(system.initial(3), as_contests([game]))
        spread = math.sqrt(2 * ((25 / 3) ** 2 + (25 / 6) ** 2))
        assert changes.expected == pytest.approx([0.5] * 3)
        assert changes.weight[1] == pytest.approx((25 / 3) ** 2 / spread)


class TestCounting:
    def test_of_half_a_game_it_is_three_quarters(self) -> None:
        """The same three, each for half the game: each stands for a whole seat."""
        system = create("trueskill", draw_probability=0)
        game: Fixture = [(rank, [(rank, 0.5)]) for rank in range(3)]
        _, changes = system.rate_event_explained(system.initial(3), as_contests([game]))
        spread = math.sqrt(2 * ((25 / 3) ** 2 + (25 / 6) ** 2))
        assert changes.expected == pytest.approx([0.5] * 3)
        assert changes.weight[1] == pytest.approx(0.75 * (25 / 3) ** 2 / spread)

    def test_nobody_has_played_at_the_start(self) -> None:
        start = create("trueskill").initial(2)
        assert (start.value.tolist(), start.games.tolist()) == ([25] * 2, [0] * 2)
        assert start.games.dtype == start.counted.dtype == np.int64
        assert not np.shares_memory(start.games, start.counted)

    def test_games_against_the_established_count_unless_all_do(self) -> None:
        """By every method; one of them is established, whom two others met."""
        system, before = create("trueskill", provisional_deviation=6), field(games=30)
        games = Duels(np.array([0, 1]), np.array([1, 0]), np.array([1.0, 0.0]))
        for rate in (system.rate, system.rate_event):
            assert rate(before, games).counted.tolist() == [32, 30, 30, 30]
            assert rate(before, games, all_count=True).counted.tolist() == [32, 32, 30, 30]
            assert rate(before, games).counted.dtype == np.int64
            assert rate(before, games).games.tolist() == [32, 32, 30, 30]
        for explain in (system.rate_explained, system.rate_event_explained):
            assert explain(before, games)[0].counted.tolist() == [32, 30, 30, 30]
            assert explain(before, games, all_count=True)[0].counted.tolist() == [32, 32, 30, 30]

    def test_the_threshold_itself_is_sure_enough(self) -> None:
        system = create("trueskill", deviation_min=1, provisional_deviation=1)
        before = Ratings(np.full(2, 25.0), np.array([1.0, 0.2]), None, *np.full((2, 2), 30))
        twice = Duels(np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.5]))
        _, changes = system.rate_explained(before, twice)
        assert changes.status_before.tolist() == [2, 2, 2, 2]

    def test_of_both_players_in_games_one_by_one_too(self) -> None:
        system = create("trueskill", deviation_min=1, provisional_deviation=2)
        before = Ratings(np.full(2, 25.0), np.full(2, 2.0), None, *np.full((2, 2), 30))
        assert system.rate(before, Duels([0], [1], [1.0])).counted.tolist() == [31, 31]  # type: ignore[arg-type]


class TestForeseen:
    def test_keeps_the_shape_of_the_question(self) -> None:
        asked = create("trueskill").expected(field(), [[0, 1], [2, 3]], 1)
        one_by_one = [create("trueskill").expected(field(), [who], [1])[0] for who in range(4)]
        assert asked.tolist() == [one_by_one[:2], one_by_one[2:]]

    def test_who_is_beneath_the_floor_counts_as_if_on_it(self) -> None:
        system, played = create("trueskill", deviation_min=4), np.full(2, 5)
        low, raised = (
            Ratings(np.array([20.0, 31.0]), np.array(deviation), None, played, played)
            for deviation in ([3.0, 2.0], [4.0, 4.0])
        )
        asked = system.expected(low, [0], [1])
        assert asked.tolist() == system.expected(raised, [0], [1]).tolist()
        assert asked != pytest.approx(create("trueskill").expected(low, [0], [1]))

    def test_thresholds_up_to_the_deviation_of_a_new_player_are_reached(self) -> None:
        system = create("trueskill", growth=0.5, deviation_start=8)
        assert system.periods_until([7.5], 8).tolist() == [(64 - 7.5**2) * 4]
        assert system.periods_until([2.0], 2.125) == pytest.approx([(2.125**2 - 4) * 4])
        assert system.periods_until([9.0, 8.5], 9).tolist() == [0, math.inf]
        never = create("trueskill")
        assert never.periods_until([2.0, 1.0], 2).tolist() == [0, math.inf]
