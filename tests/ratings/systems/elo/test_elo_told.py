"""What Elo counts, foresees and refuses, by every method."""

import math

import numpy as np
import pytest

from ratings.systems import Duels, Ratings, create
from ratings.systems.elo import Elo, EloParameters, outcome_chances

GAMES = Duels(np.array([0, 0, 2, 1]), np.array([1, 2, 0, 2]), np.array([1.0, 0.5, 0.0, 1.0]))
NONE = Duels(np.empty(0, int), np.empty(0, int), np.empty(0))


def field() -> Ratings:
    """An established player, a new one, a provisional one, and one who only watches."""
    value = np.array([1500.0, 1400.0, 1600.0, 1700.0])
    return Ratings(value, None, None, np.array([40, 0, 5, 9]), np.array([40, 0, 2, 9]))


def elo(**parameters: object) -> Elo:
    return Elo(EloParameters.build(parameters))


class TestCounting:
    def test_nobody_has_played_at_the_start(self) -> None:
        start = create("elo").initial(2)
        assert start.games.dtype == start.counted.dtype == np.int64
        assert not np.shares_memory(start.games, start.counted)

    def test_games_against_the_established_count_unless_all_do(self) -> None:
        system = create("elo")
        for rate in (system.rate, system.rate_event):
            after = rate(field(), GAMES)
            assert after.games.tolist() == [43, 2, 8, 9]
            assert after.counted.tolist() == [40, 1, 4, 9]
            assert after.games.dtype == after.counted.dtype == np.int64
            assert rate(field(), GAMES, all_count=True).counted.tolist() == [43, 2, 5, 9]
        for explain in (system.rate_explained, system.rate_event_explained):
            assert explain(field(), GAMES)[0].counted.tolist() == [40, 1, 4, 9]
            counted = explain(field(), GAMES, all_count=True)[0].counted
            assert counted.tolist() == [43, 2, 5, 9]

    def test_statuses_are_told_as_they_were_before(self) -> None:
        system = create("elo")
        _, event = system.rate_event_explained(field(), GAMES)
        assert event.status_before.tolist() == [2, 0, 2, 1, 1, 2, 0, 1]
        _, instant = system.rate_explained(field(), GAMES)
        assert instant.status_before.tolist() == [2, 0, 2, 1, 1, 2, 1, 1]
        assert event.status_before.dtype == instant.status_before.dtype == np.int8

    def test_no_games_change_nothing(self) -> None:
        system = create("elo")
        for explain in (system.rate_explained, system.rate_event_explained):
            after, changes = explain(field(), NONE)
            assert after.value.tolist() == field().value.tolist()
            assert (after.games.tolist(), len(changes)) == ([40, 0, 5, 9], 0)


class TestForeseen:
    def test_nobody_has_the_side_unless_told(self) -> None:
        even = create("elo").initial(2)
        system = elo(side_gamma=0.5, draw_nu=0.5, class_interval=100)
        assert system.expected(even, [0], [1]).tolist() == [0.5]
        assert system.chances(even, [0], [1]).draw.tolist() == [0.2]
        assert outcome_chances(0, side_gamma=0.5).win == pytest.approx(0.5)
        assert outcome_chances(0, side=1.0).win == pytest.approx(0.5)

    def test_chances_follow_every_parameter(self) -> None:
        system = elo(side_gamma=0.5, draw_nu=0.5, class_interval=100)
        won, drawn, lost = system.chances(field(), [0], [1], 1.0)
        # π is 10^(r/200): √10 for 100 points; the better side's opponent has half of theirs.
        strength, half, draw = 10**0.25, 0.5 * 10**-0.25, 0.5
        total = strength + half + draw
        wanted = [strength / total, draw / total, half / total]
        assert [won[0], drawn[0], lost[0]] == pytest.approx(wanted)
        assert system.expected(field(), 0, 1, 1.0) == pytest.approx((strength + draw / 2) / total)

    def test_of_one_scale_by_default(self) -> None:
        assert outcome_chances(400).win == pytest.approx(10 / 11)
        assert outcome_chances(400).draw == 0
        assert outcome_chances(200, class_interval=100).win == pytest.approx(10 / 11)

    def test_keeps_the_shape_of_the_question(self) -> None:
        system = elo(draw_nu=0.5)
        asked = system.expected(field(), [[0, 1], [2, 3]], 1)
        one_by_one = [float(system.expected(field(), who, 1)) for who in range(4)]
        assert asked.tolist() == [one_by_one[:2], one_by_one[2:]]
        assert system.periods_until([[50.0, 60.0]], 100).tolist() == [[math.inf] * 2]
